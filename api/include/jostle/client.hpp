/// A thin client in C++20: inputs, interpolated poses, values. The CMake target is jostle::client.
#ifndef JOSTLE_CLIENT_HPP
#define JOSTLE_CLIENT_HPP

#include <jostle/client.h>
#include <jostle/log.hpp>
#include <jostle/play.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace jostle {

/// Returns the default definition of a client.
inline jostle_client_def client_def() {
  jostle_client_def def;
  check(jostle_client_def_default(&def));
  return def;
}

/// The bodies that a client shows, as arrays with one element per body, sorted by id.
struct ShownBodies {
  std::vector<std::uint32_t> ids;   ///< ids of the network protocol
  std::vector<jostle_pose> poses;   ///< interpolated
  std::vector<std::uint8_t> awake;  ///< 1: awake, 0: asleep
};

/// A client. It leaves the server and is destroyed with this object.
class Client {
 public:
  /// Creates a client, which connects while it is polled.
  explicit Client(const jostle_client_def& def) { check(jostle_client_create(&def, &client_)); }
  /// Creates a player with a name at a server, such as "127.0.0.1:7777".
  explicit Client(const std::string& server, const std::string& name = "player")
      : Client(def_of(server, name)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { jostle_client_destroy(client_); }

  /// Returns the handle for functions of the C API.
  jostle_client handle() const { return client_; }
  /// Receives, sends and updates the poses, after waiting up to `max_wait_seconds` for a message.
  void poll(double max_wait_seconds = 0) { check(jostle_client_poll(client_, max_wait_seconds)); }
  /// Returns the state of the connection and of the scene.
  jostle_client_status status() const {
    auto status = sized<jostle_client_status>();
    check(jostle_client_get_status(client_, &status));
    return status;
  }
  /// Returns true while poses arrive.
  bool is_playing() const { return status().state == JOSTLE_CLIENT_PLAYING; }
  /// Returns figures of the connection.
  jostle_client_metrics metrics() const {
    auto metrics = sized<jostle_client_metrics>();
    check(jostle_client_get_metrics(client_, &metrics));
    return metrics;
  }
  /// Returns the newest tick that survives the end of the server's machine, as the server has told;
  /// 0: none, or the server keeps no state.
  std::uint32_t durable_tick() const { return metrics().durable_tick; }

  /// Sets the input of the player until the next call.
  void set_input(const jostle_input& input) { check(jostle_client_set_input(client_, &input)); }
  /// Sets the direction in which the player moves (x, z; length at most 1), buttons and bytes for
  /// the rules of the server.
  void move(float x, float z, std::uint32_t buttons = 0, std::span<const std::byte> custom = {}) {
    jostle_input input;
    check(jostle_input_default(&input));
    input.move_x = x;
    input.move_z = z;
    input.buttons = buttons;
    if (custom.size() > sizeof input.custom)
      throw std::length_error("an input has " + std::to_string(custom.size()) +
                              " custom bytes; accepted: up to 32");
    input.custom_size = static_cast<std::uint32_t>(custom.size());
    if (!custom.empty()) std::memcpy(input.custom, custom.data(), custom.size());
    set_input(input);
  }
  /// Sends an action once.
  void act(const jostle_action& action) { check(jostle_client_act(client_, &action)); }

  /// Writes the bodies that are shown now. Use the same object again in each frame, so that no
  /// memory is allocated.
  void read(ShownBodies& bodies) const {
    std::size_t count = status().body_count;
    bodies.ids.resize(count);
    bodies.poses.resize(count);
    bodies.awake.resize(count);
    if (count == 0) return;
    jostle_client_arrays arrays;
    check(jostle_client_arrays_default(&arrays));
    arrays.ids = bodies.ids.data();
    arrays.positions = &bodies.poses[0].position.x;
    arrays.rotations = &bodies.poses[0].rotation.x;
    arrays.positions_stride = arrays.rotations_stride = sizeof(jostle_pose);
    arrays.awake = bodies.awake.data();
    check(jostle_client_read(client_, &arrays, count, &count));
  }
  /// Returns the interpolated pose of a body.
  jostle_pose pose(std::uint32_t body_id) const {
    jostle_pose pose;
    check(jostle_client_get_pose(client_, body_id, &pose));
    return pose;
  }
  /// Returns the name, owner and colour of a body.
  jostle_client_body body(std::uint32_t body_id) const {
    auto body = sized<jostle_client_body>();
    check(jostle_client_get_body(client_, body_id, &body));
    return body;
  }
  /// Returns the id of the first body with this name.
  std::uint32_t find_body(const std::string& name) const {
    std::uint32_t id = 0;
    check(jostle_client_find_body(client_, name.c_str(), &id));
    return id;
  }
  /// Returns the id of the own player's body.
  std::uint32_t own_body() const {
    std::uint32_t id = 0;
    check(jostle_client_get_own_body(client_, &id));
    return id;
  }
  /// Returns the shapes of a body, for drawing.
  std::vector<jostle_client_shape> shapes(std::uint32_t body_id) const {
    return list_of<jostle_client_shape>(
        [&](jostle_client_shape* list, std::size_t capacity, std::size_t* count) {
          return jostle_client_get_shapes(client_, body_id, list, sizeof(jostle_client_shape),
                                          capacity, count);
        });
  }
  /// Returns the values that the rules of the server show to this client.
  std::vector<jostle_value> values() const {
    return list_of<jostle_value>([&](jostle_value* list, std::size_t capacity, std::size_t* count) {
      return jostle_client_get_values(client_, list, sizeof(jostle_value), capacity, count);
    });
  }
  /// Returns the newest notice of the server and forgets it. The text is empty if there is none.
  std::string take_notice() {
    std::array<char, 1024> text{};
    check(jostle_client_take_notice(client_, text.data(), text.size()));
    return text.data();
  }
  /// Asks the server to pause, reset and so on.
  void control(jostle_control command, std::uint32_t number = 0) {
    check(jostle_client_control(client_, command, number));
  }

 private:
  static jostle_client_def def_of(const std::string& server, const std::string& name) {
    jostle_client_def def = client_def();
    def.server = server.c_str();
    def.name = name.c_str();
    return def;
  }

  jostle_client client_{};
};

}  // namespace jostle

#endif

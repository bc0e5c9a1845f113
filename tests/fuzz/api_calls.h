#pragma once

#include "shared/base/assert.h"
#include "tests/fuzz/fuzz_input.h"

#include <jostle/client.h>
#include <jostle/server.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace jostle::fuzz_api {

class Session;
void destroy_servers(Session& session);

/// The objects that an input has created, and the numbers that it chooses.
class Session {
 public:
  Session(const std::uint8_t* data, std::size_t size) : input_(data, size) {}
  ~Session() {
    destroy_servers(*this);
    for (const jostle_world world : worlds)
      jostle_world_destroy(world);
    for (const jostle_solid solid : solids)
      jostle_solid_destroy(solid);
    for (const jostle_scene scene : scenes)
      jostle_scene_destroy(scene);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  fuzz::FuzzInput& input() { return input_; }

  /// Checks the result of a call: a known one, with a message unless it is JOSTLE_OK.
  bool check(jostle_result result) {
    JOSTLE_ASSERT(result >= JOSTLE_OK && result != JOSTLE_ERROR_OUT_OF_MEMORY &&
                  result != JOSTLE_ERROR_INTERNAL && result <= JOSTLE_ERROR_INTERRUPTED);
    const char* const message = jostle_last_error();
    JOSTLE_ASSERT(result == JOSTLE_OK || std::strchr(message, ':') != nullptr);
    return result == JOSTLE_OK;
  }

  /// Returns one of the handles, which may be stale or of another world, or rarely any number.
  template <typename Handle>
  Handle any(const std::vector<Handle>& handles) {
    const std::uint8_t choice = input_.u8();
    if (choice > 250 || handles.empty()) return {choice % 4U, input_.u8()};
    return handles[choice % handles.size()];
  }

  float number() {
    constexpr std::array special{0.0f,
                                 1.0f,
                                 -1.0f,
                                 0.5f,
                                 std::numeric_limits<float>::quiet_NaN(),
                                 std::numeric_limits<float>::infinity(),
                                 1e30f,
                                 -1e9f,
                                 1e-30f,
                                 1e6f};
    const std::uint8_t choice = input_.u8();
    if (choice < special.size()) return special[choice];
    return static_cast<float>(choice) / 16.0f - 8.0f;
  }
  jostle_vec3 vector() { return {number(), number(), number()}; }
  jostle_position position() {
    return {static_cast<double>(number()), static_cast<double>(number()),
            static_cast<double>(number())};
  }
  jostle_vec3 axis() {
    constexpr std::array<jostle_vec3, 4> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {0.6f, 0.8f, 0}}};
    const std::uint8_t choice = input_.u8();
    return choice < 240 ? axes[choice % axes.size()] : vector();
  }
  jostle_quat rotation() {
    const std::uint8_t choice = input_.u8();
    if (choice > 240) return {number(), number(), number(), number()};
    return choice % 2 == 0 ? jostle_quat{0, 0, 0, 1} : jostle_quat{0, 0.6f, 0, 0.8f};
  }
  jostle_bool boolean() {
    const std::uint8_t choice = input_.u8();
    return choice > 250 ? choice : choice % 2;
  }

  /// Replaces up to three numbers in the first `bytes` bytes of a struct.
  template <typename Struct>
  void mutate(Struct& values, std::size_t bytes = sizeof(Struct)) {
    constexpr std::array<std::int32_t, 6> integers{0, 1, 2, 3, -1, 255};
    for (std::size_t count = input_.choice(4); count > 0; --count) {
      const std::size_t offset = 4 * (input_.u8() % (bytes / 4));
      const bool is_integer = input_.boolean();
      const std::int32_t integer = integers[input_.choice(integers.size())];
      const float real = number();
      char* const at = reinterpret_cast<char*>(&values) + offset;
      std::memcpy(at, is_integer ? static_cast<const void*>(&integer) : &real, 4);
    }
  }

  std::vector<jostle_world> worlds;
  std::vector<jostle_solid> solids;
  std::vector<jostle_scene> scenes;
  std::vector<jostle_body> bodies;
  std::vector<jostle_shape> shapes;
  std::vector<jostle_joint> joints;
  std::vector<jostle_field> fields;
  std::vector<jostle_particle_set> sets;
  std::vector<jostle_server> servers;
  std::vector<jostle_game> games;
  std::vector<jostle_client> clients;
  std::vector<jostle_recording> recordings;
  bool has_created_server = false;  // an input creates at most one, because it takes long

  /// Limits of what an input creates, so that it takes little time.
  static constexpr std::size_t max_worlds = 4, max_objects = 24;

 private:
  fuzz::FuzzInput input_;
};

// Each function makes one call of its group, which the input chooses.

void call_world(Session& session);
void call_body(Session& session);
void call_shape(Session& session);
void call_joint(Session& session);
void call_field(Session& session);
void call_query(Session& session);
/// Calls functions of servers, games, recordings and clients.
void call_server(Session& session);

}  // namespace jostle::fuzz_api

/// Servers, rules and recordings in C++20. The CMake target is jostle::server.
#ifndef JOSTLE_SERVER_HPP
#define JOSTLE_SERVER_HPP

#include <jostle/server/game.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace jostle {

/// The rules of a program, in the order in which they are called.
using RuleList = std::initializer_list<jostle_rule_def>;

/// Returns the default definition of a server.
inline jostle_server_def server_def() {
  jostle_server_def def;
  check(jostle_server_def_default(&def));
  return def;
}

/// A server. It is stopped and destroyed with this object.
class Server {
 public:
  /// Creates a server, which listens from now on. The texts of the definition are copied.
  explicit Server(jostle_server_def def, RuleList rules = {}) {
    if (rules.size() > 0) def.rules = rules.begin();
    if (rules.size() > 0) def.rule_count = rules.size();
    detail::run_rules({}, [&] { check(jostle_server_create(&def, &server_)); });
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { jostle_server_destroy(server_); }

  /// Returns the handle for functions of the C API.
  jostle_server handle() const { return server_; }
  /// Runs the server in this thread until stop() is called.
  void run() {
    detail::run_rules(server_, [&] { check(jostle_server_run(server_)); });
  }
  /// Ends run() after the current tick. Rules, other threads and signal handlers may call it.
  void stop() const { check(jostle_server_stop(server_)); }
  /// Simulates and sends what is due, after waiting up to `max_wait_seconds` for it. Returns the
  /// number of simulated ticks.
  std::uint32_t poll(double max_wait_seconds = 0) {
    std::uint32_t ticks = 0;
    detail::run_rules(server_,
                      [&] { check(jostle_server_poll(server_, max_wait_seconds, &ticks)); });
    return ticks;
  }
  /// Simulates `count` ticks at once.
  void step(std::uint32_t count = 1) {
    detail::run_rules(server_, [&] { check(jostle_server_step(server_, count)); });
  }
  /// Queues a command for the next tick.
  void control(jostle_control command, std::uint32_t number = 0) const {
    check(jostle_server_control(server_, command, number));
  }
  /// Returns port, tick, numbers of players, traffic and more.
  jostle_server_info info() const {
    auto info = sized<jostle_server_info>();
    check(jostle_server_get_info(server_, &info));
    return info;
  }
  /// Returns the newest tick that survives the end of the machine, because its commands are on the
  /// disk in `state_folder`; 0 without such a folder.
  std::uint32_t durable_tick() const { return info().durable_tick; }
  /// Returns the URL of the page for browsers; empty without `web_address` in the definition.
  std::string url() const {
    std::array<char, 512> text{};
    check(jostle_server_get_url(server_, text.data(), text.size()));
    return text.data();
  }
  /// Returns the game, for reading between two steps.
  Game game() const {
    jostle_game game;
    check(jostle_server_get_game(server_, &game));
    return Game(game);
  }

 private:
  jostle_server server_{};
};

/// A recording with its replay, which begins in the state before the first tick.
class Recording {
 public:
  /// Opens a file. The rules must be those of the server.
  explicit Recording(const std::string& path, RuleList rules = {}) {
    detail::run_rules({}, [&] {
      check(jostle_recording_open(path.c_str(), rules.begin(), rules.size(), &recording_));
    });
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { jostle_recording_close(recording_); }

  /// Returns the handle for functions of the C API.
  jostle_recording handle() const { return recording_; }
  /// Returns the current, first and last tick, and if the replay agrees with the recording.
  jostle_recording_info info() const {
    auto info = sized<jostle_recording_info>();
    check(jostle_recording_get_info(recording_, &info));
    return info;
  }
  /// Simulates the next recorded tick.
  void step() {
    detail::run_rules({}, [&] { check(jostle_recording_step(recording_)); });
  }
  /// Goes to the state after a tick.
  void seek(std::uint32_t tick) {
    detail::run_rules({}, [&] { check(jostle_recording_seek(recording_, tick)); });
  }
  /// Returns the replayed game.
  Game game() const {
    jostle_game game;
    check(jostle_recording_get_game(recording_, &game));
    return Game(game);
  }

 private:
  jostle_recording recording_{};
};

/// Replays a recording and compares the hash of every tick.
inline jostle_verification verify(const std::string& path, RuleList rules = {}) {
  auto result = sized<jostle_verification>();
  detail::run_rules({}, [&] {
    check(jostle_recording_verify(path.c_str(), rules.begin(), rules.size(), &result, nullptr, 0));
  });
  return result;
}

/// The first difference of two recordings.
struct Comparison {
  jostle_comparison numbers;  ///< the ticks that differ, and counts
  std::string cause;          ///< the cause and the first number that differs, as text
};

/// Finds the first difference of two recordings of one scene.
inline Comparison compare(const std::string& path_a, const std::string& path_b,
                          RuleList rules = {}) {
  Comparison comparison{sized<jostle_comparison>(), {}};
  std::array<char, 1024> text{};
  detail::run_rules({}, [&] {
    check(jostle_recording_compare(path_a.c_str(), path_b.c_str(), rules.begin(), rules.size(),
                                   &comparison.numbers, text.data(), text.size()));
  });
  comparison.cause = text.data();
  return comparison;
}

/// A complete main() for the recordings of a program: the commands verify, diff, show and bisect of
/// jostle_recording_main(). Returns the exit code.
inline int recording_main(int argc, char** argv, RuleList rules) {
  int code = 0;
  detail::run_rules({},
                    [&] { code = jostle_recording_main(argc, argv, rules.begin(), rules.size()); });
  return code;
}

}  // namespace jostle

#endif

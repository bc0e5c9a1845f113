/// Games and rules in C++.
#ifndef JOSTLE_SERVER_GAME_HPP
#define JOSTLE_SERVER_GAME_HPP

#include <jostle/physics.hpp>
#include <jostle/play.hpp>
#include <jostle/server.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace jostle {

/// A game: the world, the players and the values of a server, of a replay, or of a rule that is
/// being called. A rule may change it until it returns; other code only reads it.
class Game {
 public:
  /// Denotes a game.
  explicit Game(jostle_game game) : game_(game) {}

  /// Returns the handle for functions of the C API.
  jostle_game handle() const { return game_; }
  /// Returns the properties: world, tick, duration of a step, numbers of players and bodies.
  jostle_game_info info() const {
    auto info = sized<jostle_game_info>();
    check(jostle_game_get_info(game_, &info));
    return info;
  }
  /// Returns the world.
  WorldView world() const { return WorldView(info().world); }
  /// Returns the tick that is being simulated; between steps the last one.
  std::uint32_t tick() const { return info().tick; }
  /// Returns the hash of the whole state, between two steps.
  std::uint64_t hash() const {
    std::uint64_t hash = 0;
    check(jostle_game_get_hash(game_, &hash));
    return hash;
  }

  /// Returns the players, in the order of their ids.
  std::vector<jostle_player> players() const {
    return list_of<jostle_player>(
        [&](jostle_player* list, std::size_t capacity, std::size_t* count) {
          return jostle_game_get_players(game_, list, sizeof(jostle_player), capacity, count);
        });
  }
  /// Returns the player with this id.
  jostle_player player(std::uint32_t id) const {
    jostle_player player;
    check(jostle_game_get_player(game_, id, &player));
    return player;
  }
  /// Returns the input of a player in this tick.
  jostle_input input(std::uint32_t player) const {
    auto input = sized<jostle_input>();
    check(jostle_game_get_input(game_, player, &input));
    return input;
  }
  /// Returns the first body with this name.
  Body find_body(const std::string& name) const {
    jostle_body body;
    check(jostle_game_find_body(game_, name.c_str(), &body));
    return {info().world, body};
  }
  /// Returns the body of a player. It is the null body if the player has none.
  Body body_of(const jostle_player& player) const { return {info().world, player.body}; }

  /// Creates a body and tells all clients.
  Body spawn(const jostle_body_def& def, std::span<const jostle_shape_def> shapes,
             const jostle_look* look = nullptr) const {
    jostle_body body;
    check(jostle_game_spawn(game_, &def, shapes.data(), shapes.size(), look, &body));
    return {info().world, body};
  }
  /// Removes a body and tells all clients.
  void despawn(const Body& body) const { check(jostle_game_despawn(game_, body.handle())); }
  /// Returns a random number from 0 to 2³² − 1, which is the same in every replay.
  std::uint32_t random() const {
    std::uint32_t number = 0;
    check(jostle_game_random(game_, &number));
    return number;
  }

  /// Shows a value to a player, or to all clients if `player` is 0.
  void show(const jostle_value& value, std::uint32_t player = 0) const {
    check(jostle_game_show(game_, player, &value));
  }
  /// Hides a value that the rule has shown.
  void hide(const std::string& name, std::uint32_t player = 0) const {
    check(jostle_game_hide(game_, player, name.c_str()));
  }
  /// Returns the values that a player sees; those for all clients if `player` is 0.
  std::vector<jostle_value> values(std::uint32_t player = 0) const {
    return list_of<jostle_value>([&](jostle_value* list, std::size_t capacity, std::size_t* count) {
      return jostle_game_get_values(game_, player, list, sizeof(jostle_value), capacity, count);
    });
  }

 private:
  jostle_game game_;
};

/// Parts of the C++ headers that programs do not use directly.
namespace detail {

/// The exception of a rule, until the call that runs the rules throws it again, and the server that
/// runs in this thread. A rule is not called after an exception.
struct RuleFailure {
  std::exception_ptr exception;  ///< null: none
  jostle_server server{};        ///< null: a replay runs
};
/// Returns the failure of this thread.
inline RuleFailure& rule_failure() {
  static thread_local RuleFailure failure;
  return failure;
}
/// Throws the exception that a rule has thrown, if there is one.
inline void throw_rule_failure() {
  if (const std::exception_ptr exception = std::exchange(rule_failure().exception, nullptr))
    std::rethrow_exception(exception);
}
/// Calls a function of a rule and keeps its exception, because none may enter the library.
template <typename Call>
void call_rule(const Call& call) noexcept {
  RuleFailure& failure = rule_failure();
  if (failure.exception) return;
  try {
    call();
  } catch (...) {
    failure.exception = std::current_exception();
    if (jostle_server_is_alive(failure.server) == 1) jostle_server_stop(failure.server);
  }
}

/// Makes a call that runs rules, and throws what a rule has thrown. `server` is the server that
/// runs them, or null.
template <typename Call>
void run_rules(jostle_server server, const Call& call) {
  RuleFailure& failure = rule_failure();
  failure.server = server;
  try {
    call();
  } catch (const Error&) {
    failure.server = {};
    throw_rule_failure();  // the exception of a rule is the cause
    throw;
  }
  failure.server = {};
  throw_rule_failure();
}

/// True if a rule has functions that save and load its state.
template <typename Rule>
concept SavesItself = requires(const Rule& rule, Rule& loaded, std::vector<std::byte>& out,
                               std::span<const std::byte> bytes) {
  rule.save(out);
  { loaded.load(bytes) } -> std::convertible_to<bool>;
};

/// The save function of a rule. The state of a class without save() is its bytes.
template <typename Rule>
std::size_t save_rule(void*, const void* state, void* buffer, std::size_t capacity) {
  if constexpr (SavesItself<Rule>) {
    std::vector<std::byte> bytes;
    call_rule([&] { static_cast<const Rule*>(state)->save(bytes); });
    if (bytes.size() <= capacity && !bytes.empty()) std::memcpy(buffer, bytes.data(), bytes.size());
    return bytes.size();
  } else {
    if (sizeof(Rule) <= capacity) std::memcpy(buffer, state, sizeof(Rule));
    return sizeof(Rule);
  }
}
/// The load function of a rule.
template <typename Rule>
jostle_bool load_rule(void*, void* state, const void* bytes, std::size_t size) {
  if constexpr (SavesItself<Rule>) {
    bool is_valid = false;
    call_rule([&] {
      is_valid = static_cast<Rule*>(state)->load(
          std::span<const std::byte>(static_cast<const std::byte*>(bytes), size));
    });
    return is_valid ? 1 : 0;
  } else {
    if (size != sizeof(Rule)) return 0;
    std::memcpy(state, bytes, size);
    return 1;
  }
}

}  // namespace detail

/// Returns the definition of a rule that a class implements. Registration is one line:
///
///     jostle::Server server(def, {jostle::rule<Goals>("goals")});
///
/// An object of the class exists for each game. It may have any of these functions:
///
///     void before_step(jostle::Game game);  void after_step(jostle::Game game);
///     void player_joined(jostle::Game game, std::uint32_t player);
///     void player_left(jostle::Game game, std::uint32_t player);
///     void reset(jostle::Game game);  // the scene has restarted; without it: a new object
///     void save(std::vector<std::byte>& out) const;  bool load(std::span<const std::byte> bytes);
///
/// A class needs at least one of the first five. A trivially copyable class needs no save() and
/// load(), because its bytes are saved; leave no padding in it. An exception of a function stops
/// the server; Server::run(), poll() or step() throws it again.
template <typename Rule>
jostle_rule_def rule(const char* name) {
  static_assert(detail::SavesItself<Rule> || std::is_trivially_copyable_v<Rule>,
                "a rule with members such as containers needs save() and load()");
  static_assert(alignof(Rule) <= alignof(std::max_align_t));
  static_assert(
      requires { &Rule::before_step; } || requires { &Rule::after_step; } ||
          requires { &Rule::player_joined; } || requires { &Rule::player_left; } ||
          requires { &Rule::reset; },
      "a rule needs one of before_step, after_step, player_joined, player_left and reset");
  jostle_rule_def def;
  check(jostle_rule_def_default(&def));
  def.name = name;
  def.state_size = sizeof(Rule);
  def.create = [](void*, void* state) { detail::call_rule([&] { new (state) Rule{}; }); };
  if constexpr (!std::is_trivially_destructible_v<Rule>)
    def.destroy = [](void*, void* state) { static_cast<Rule*>(state)->~Rule(); };
  def.save = detail::save_rule<Rule>;
  def.load = detail::load_rule<Rule>;
  // The functions of the class that exist become those of the definition.
#define JOSTLE_RULE_FUNCTION(function)                                                             \
  static_assert(                                                                                   \
      !requires { &Rule::function; } || requires(Rule & rule, Game game) { rule.function(game); }, \
      "the parameter of a rule's " #function "() is jostle::Game");                                \
  if constexpr (requires(Rule & rule, Game game) { rule.function(game); })                         \
    def.function = [](void*, void* state, jostle_game game) {                                      \
      detail::call_rule([&] { static_cast<Rule*>(state)->function(Game(game)); });                 \
    };
#define JOSTLE_RULE_PLAYER_FUNCTION(function)                                               \
  static_assert(                                                                            \
      !requires { &Rule::function; } ||                                                     \
          requires(Rule & rule, Game game) { rule.function(game, std::uint32_t{}); },       \
      "the parameters of a rule's " #function "() are jostle::Game and std::uint32_t");     \
  if constexpr (requires(Rule & rule, Game game) { rule.function(game, std::uint32_t{}); }) \
    def.function = [](void*, void* state, jostle_game game, std::uint32_t player) {         \
      detail::call_rule([&] { static_cast<Rule*>(state)->function(Game(game), player); });  \
    };
  JOSTLE_RULE_FUNCTION(reset)
  JOSTLE_RULE_FUNCTION(before_step)
  JOSTLE_RULE_FUNCTION(after_step)
  JOSTLE_RULE_PLAYER_FUNCTION(player_joined)
  JOSTLE_RULE_PLAYER_FUNCTION(player_left)
#undef JOSTLE_RULE_FUNCTION
#undef JOSTLE_RULE_PLAYER_FUNCTION
  return def;
}

}  // namespace jostle

#endif

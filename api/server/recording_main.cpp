#include "api/base/error.h"
#include "api/server/recording_traces.h"

#include <jostle/server/recordings.h>

#include <array>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int exit_equal = 0, exit_differs = 1, exit_failed = 2;
constexpr std::size_t text_bytes = 1'024;

/// The rules of the program.
struct Rules {
  const jostle_rule_def* list = nullptr;
  std::size_t count = 0;
};

/// Prints the last error, unless a function of the program has ended the call and knows why.
int fail(jostle_result result) {
  if (result != JOSTLE_ERROR_INTERRUPTED) std::fprintf(stderr, "%s\n", jostle_last_error());
  return exit_failed;
}

int verify(const char* path, const Rules& rules) {
  jostle_verification result{};
  result.size = sizeof result;
  std::array<char, text_bytes> parts{};
  const jostle_result call =
      jostle_recording_verify(path, rules.list, rules.count, &result, parts.data(), parts.size());
  if (call != JOSTLE_OK) return fail(call);
  if (result.is_same == 1) {
    std::printf("%s: %" PRIu64 " ticks agree, hash %016" PRIx64 "\n", path, result.ticks,
                result.last_hash);
    return exit_equal;
  }
  std::printf("%s: diverged in tick %u, in %s; %" PRIu64 " ticks agree before it\n", path,
              result.differing_tick, parts.data(), result.ticks);
  return exit_differs;
}

int diff(const char* a, const char* b, const Rules& rules) {
  jostle_comparison result{};
  result.size = sizeof result;
  std::array<char, text_bytes> cause{};
  const jostle_result call =
      jostle_recording_compare(a, b, rules.list, rules.count, &result, cause.data(), cause.size());
  if (call != JOSTLE_OK) return fail(call);
  if (result.is_equal == 1) {
    std::printf("%" PRIu64 " ticks in common, equal in inputs and states\n", result.ticks);
    return exit_equal;
  }
  if (result.states_differ != 0) std::printf("first divergence: tick %u\n", result.states_differ);
  std::printf("%s\n", cause.data());
  return exit_differs;
}

void print_values(jostle_game game, std::uint32_t player) {
  std::array<jostle_value, JOSTLE_MAX_VALUES> values{};
  std::size_t count = 0;
  if (jostle_game_get_values(game, player, values.data(), 0, values.size(), &count) != JOSTLE_OK)
    return;
  for (std::size_t i = 0; i < count; ++i) {
    const jostle_value& value = values[i];
    if (value.kind == JOSTLE_VALUE_TEXT) {
      std::printf("  %s: %s\n", value.name, value.text);
    } else {
      std::printf("  %s: %g%s\n", value.name, static_cast<double>(value.number),
                  value.kind == JOSTLE_VALUE_DURATION ? " s" : "");
    }
  }
}

int print_state(jostle_recording recording, std::uint32_t tick) {
  jostle_game game{};
  std::uint64_t hash = 0;
  std::size_t count = 0;
  jostle_result call = jostle_recording_seek(recording, tick);
  if (call == JOSTLE_OK) call = jostle_recording_get_game(recording, &game);
  if (call == JOSTLE_OK) call = jostle_game_get_hash(game, &hash);
  if (call == JOSTLE_OK) call = jostle_game_get_players(game, nullptr, 0, 0, &count);
  std::vector<jostle_player> players(count);
  if (call == JOSTLE_OK) call = jostle_game_get_players(game, players.data(), 0, count, &count);
  if (call != JOSTLE_OK) return fail(call);
  std::printf("tick %u, hash %016" PRIx64 "\n", tick, hash);
  if (players.empty()) print_values(game, 0);
  for (const jostle_player& player : players) {
    std::printf("player %u: %s\n", player.id, player.name);
    print_values(game, player.id);
  }
  jostle_recording_info info{};
  info.size = sizeof info;
  call = jostle_recording_get_info(recording, &info);
  if (call != JOSTLE_OK) return fail(call);
  return info.differing_ticks == 0 ? exit_equal : exit_differs;
}

int show(const char* path, const char* text, const Rules& rules) {
  const std::string_view digits(text);
  std::uint32_t tick = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), tick);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    std::fprintf(stderr, "show: TICK is '%s'; accepted: numbers of ticks\n", text);
    return exit_failed;
  }
  jostle_recording recording{};
  const jostle_result call = jostle_recording_open(path, rules.list, rules.count, &recording);
  if (call != JOSTLE_OK) return fail(call);
  const int result = print_state(recording, tick);
  jostle_recording_close(recording);
  return result;
}

int trace(const char* path, const std::vector<std::string>& options, const Rules& rules) {
  const jostle_result result = jostle::api::guard(
      "trace", [&] { jostle::api::trace_recording(path, options, rules.list, rules.count); });
  return result == JOSTLE_OK ? exit_equal : fail(result);
}

int bisect(const char* path, const std::vector<std::string>& command, const Rules& rules) {
  bool is_same = false;
  const jostle_result result = jostle::api::guard("bisect", [&] {
    is_same = jostle::api::bisect_recording(path, command, rules.list, rules.count);
  });
  if (result != JOSTLE_OK) return fail(result);
  return is_same ? exit_equal : exit_differs;
}

}  // namespace

int jostle_recording_main(int argc, char** argv, const jostle_rule_def* rules, size_t rule_count) {
  const Rules all{rules, rule_count};
  const std::string_view command = argv != nullptr && argc > 1 ? argv[1] : "";
  if (command == "verify" && argc == 3) return verify(argv[2], all);
  if (command == "diff" && argc == 4) return diff(argv[2], argv[3], all);
  if (command == "show" && argc == 4) return show(argv[2], argv[3], all);
  if (command == "trace" && argc >= 3) return trace(argv[2], {argv + 3, argv + argc}, all);
  if (command == "bisect" && argc >= 4) return bisect(argv[2], {argv + 3, argv + argc}, all);
  std::fprintf(stderr,
               "accepted: verify FILE, diff A B, show FILE TICK, bisect FILE COMMAND..., "
               "trace FILE [OPTIONS]\n");
  return exit_failed;
}

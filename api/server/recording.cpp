#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/server/tables.h"
#include "shared/record/replay.h"

namespace jostle::api {
namespace {

std::uint32_t number_of(const std::optional<state::Tick>& tick) {
  return tick ? tick->number : 0;
}

/// Writes a text unless the caller does not want it.
void write_optional_text(const std::string& words, char* text, std::size_t capacity) {
  if (text != nullptr) write_text(words.data(), words.size(), text, capacity, "text");
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_recording_open(const char* path, const jostle_rule_def* rules,
                                    size_t rule_count, jostle_recording* recording) {
  return guard(__func__, [&] {
    require_pointer(path, "path");
    require_pointer(recording, "recording");
    *recording = recordings().create(
        std::make_unique<RecordingHost>(path, checked_rules(rules, rule_count)));
  });
}
jostle_result jostle_recording_close(jostle_recording recording) {
  return guard(__func__, [&] { recordings().destroy(recording); });
}
jostle_bool jostle_recording_is_alive(jostle_recording recording) {
  return recordings().is_alive(recording) ? 1 : 0;
}
jostle_result jostle_recording_get_info(jostle_recording recording, jostle_recording_info* info) {
  return guard(__func__, [&] {
    const auto found = recordings().read(recording);
    require_output(info, "info");
    write_struct(info, found->info());
  });
}
jostle_result jostle_recording_step(jostle_recording recording) {
  return guard(__func__, [&] {
    const auto found = recordings().change(recording);
    if (found->tick() == found->last())
      refuse_text(JOSTLE_ERROR_WRONG_STATE, "the recording ends with this tick");
    found->seek(found->tick() + 1);
  });
}
jostle_result jostle_recording_seek(jostle_recording recording, uint32_t tick) {
  return guard(__func__, [&] {
    const auto found = recordings().change(recording);
    require_integer(tick, found->first().number, found->last().number, "tick");
    found->seek(state::Tick{tick});
  });
}
jostle_result jostle_recording_get_game(jostle_recording recording, jostle_game* game) {
  return guard(__func__, [&] {
    const auto found = recordings().read(recording);
    require_pointer(game, "game");
    *game = found->game();
  });
}

void jostle_set_replay_function(jostle_replay_function function, void* user) {
  set_replay_function(function, user);
}

jostle_result jostle_recording_verify(const char* path, const jostle_rule_def* rules,
                                      size_t rule_count, jostle_verification* verification,
                                      char* text, size_t capacity) {
  return guard(__func__, [&] {
    require_pointer(path, "path");
    require_output(verification, "verification");
    const sim::RuleFactory factory = rule_factory(checked_rules(rules, rule_count));
    const record::Recording recording = api::read_recording_file(path, "path");
    auto simulation = record::start_replay(recording, factory);
    if (!simulation) refuse_text(JOSTLE_ERROR_INVALID_DATA, simulation.error().c_str());
    const record::VerifyReport report =
        record::verify(recording, **simulation, after_replayed_tick);
    jostle_verification values{};
    values.is_same = report.is_same() ? 1 : 0;
    values.ticks = report.ticks;
    values.last_hash = report.last_hash;
    std::string words;
    if (report.divergence) {
      values.differing_tick = report.divergence->tick.number;
      words = record::parts_that_differ(report.divergence->recorded, report.divergence->replayed);
    } else if (report.keyframe_differs) {
      values.differing_tick = report.keyframe_differs->number;
      words = "the state that was saved before the tick";
    }
    write_optional_text(words, text, capacity);
    write_struct(verification, values);
  });
}

jostle_result jostle_recording_compare(const char* path_a, const char* path_b,
                                       const jostle_rule_def* rules, size_t rule_count,
                                       jostle_comparison* comparison, char* text, size_t capacity) {
  return guard(__func__, [&] {
    require_pointer(path_a, "path_a");
    require_pointer(path_b, "path_b");
    require_output(comparison, "comparison");
    const sim::RuleFactory factory = rule_factory(checked_rules(rules, rule_count));
    const record::Recording a = api::read_recording_file(path_a, "path_a");
    const record::Recording b = api::read_recording_file(path_b, "path_b");
    const auto compared = record::compare(a, b, factory, after_replayed_tick);
    if (!compared) refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT, compared.error().c_str());
    jostle_comparison values{};
    values.is_equal = compared->is_equal() ? 1 : 0;
    values.inputs_differ = number_of(compared->inputs_differ);
    values.states_differ = number_of(compared->hashes_differ);
    values.ticks = compared->ticks_compared;
    values.numbers = compared->states.number_count;
    write_optional_text(difference_text(*compared), text, capacity);
    write_struct(comparison, values);
  });
}

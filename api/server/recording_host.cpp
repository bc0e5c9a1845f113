#include "api/server/recording_host.h"

#include "api/base/checks.h"
#include "shared/net/system_io.h"
#include "shared/record/recording_file.h"

#include <string>
#include <string_view>
#include <utility>

namespace jostle::api {
namespace {

struct ReplayFunction {
  jostle_replay_function function = nullptr;
  void* user = nullptr;
};
thread_local constinit ReplayFunction replay_function;

}  // namespace

void set_replay_function(jostle_replay_function function, void* user) noexcept {
  replay_function = {function, user};
}

void after_replayed_tick() {
  const auto [function, user] = replay_function;
  if (function != nullptr && function(user) == 0)
    refuse_text(JOSTLE_ERROR_INTERRUPTED, "the function of jostle_set_replay_function returned 0");
}

sim::RuleFactory rule_factory(RuleDefinitions definitions) {
  return [definitions = std::move(definitions)] { return make_rules(definitions); };
}

record::Recording read_recording_file(const char* path, const char* name) {
  require_pointer(path, name);
  net::SystemIo io;
  auto recording = record::read_recording_file(io, path);
  if (!recording) refuse_text(JOSTLE_ERROR_INVALID_DATA, recording.error().c_str());
  return *std::move(recording);
}

std::string difference_text(const record::RecordingComparison& comparison) {
  if (!comparison.hashes_differ) {
    return comparison.inputs_differ ? "only the inputs differ, from tick " +
                                          std::to_string(comparison.inputs_differ->number)
                                    : "";
  }
  std::string text = record::parts_that_differ(comparison.hash_a, comparison.hash_b) +
                     " differ; cause: " + record::cause_of(comparison);
  if (!comparison.states.numbers.empty()) {
    const record::NumberDifference& first = comparison.states.numbers.front();
    text += "; first number: " + first.where + " " + first.a.field();
    if (!first.is_only_in_a && !first.is_only_in_b)
      text += ": " + first.a.text() + " and " + first.b.text();
  }
  if (!comparison.why_no_states.empty()) text += "; " + comparison.why_no_states;
  return text;
}

/// Time in which the recording replays, and callers must not use its game.
class RecordingHost::Work {
 public:
  explicit Work(RecordingHost& host) : host_(host) { host_.game_.close(); }
  ~Work() { host_.game_.open(host_.cursor_->simulation()); }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

 private:
  RecordingHost& host_;
};

RecordingHost::RecordingHost(const char* path, RuleDefinitions definitions) {
  auto cursor = record::ReplayCursor::create(read_recording_file(path, "path"),
                                             record::ReplayCursor::default_kept_bytes,
                                             rule_factory(std::move(definitions)));
  if (!cursor) refuse_text(JOSTLE_ERROR_INVALID_DATA, cursor.error().c_str());
  cursor_ = *std::move(cursor);
  game_.open(cursor_->simulation());
}

jostle_recording_info RecordingHost::info() const {
  jostle_recording_info info{};
  const record::RecordingHeader& header = cursor_->recording().header;
  info.tick = tick().number;
  info.first_tick = first().number;
  info.last_tick = last().number;
  info.ticks_per_second = static_cast<std::int32_t>(header.tick_rate_hz);
  info.seed = header.seed;
  info.is_closed = cursor_->recording().is_closed ? 1 : 0;
  info.differs = cursor_->matches_recording().value_or(true) ? 0 : 1;
  info.differing_ticks = cursor_->diverged_count();
  return info;
}

void RecordingHost::advance() {
  cursor_->advance();
  try {
    after_replayed_tick();
  } catch (const Refusal&) {
    cursor_->take_back();
    throw;
  }
}

void RecordingHost::seek(state::Tick tick) {
  bool is_restored = false;
  {
    const Work work(*this);
    is_restored = cursor_->seek(tick);
    while (is_restored && this->tick() != cursor_->wanted())
      advance();
  }
  if (is_restored) return;
  const std::string_view rule = cursor_->simulation().refusing_rule();
  refuse_text(JOSTLE_ERROR_INVALID_DATA,
              ("no state at or before tick " + std::to_string(tick.number) + " can be restored" +
               (rule.empty() ? "" : ": the rule '" + std::string(rule) + "' refused its state"))
                  .c_str());
}

}  // namespace jostle::api

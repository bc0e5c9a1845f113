#include "shared/journal/journal.h"

#include "shared/base/assert.h"
#include "shared/base/log.h"
#include "shared/base/planted.h"

#include <algorithm>
#include <variant>

namespace jostle::journal {
namespace {

/// Ticks that the end of the process may lose, as a part of a second.
constexpr std::uint32_t passes_per_second = 20;
/// Ticks after which a keyframe is made within the tick if no copy of the world is free.
constexpr std::uint32_t most_ticks_per_keyframe = 2 * record::ticks_per_block;

}  // namespace

Journal::Journal(Files& files, Executor& executor, const SegmentOptions& options,
                 std::vector<std::string> rules, Executor* builder)
    : executor_(executor),
      writer_(std::make_shared<SegmentWriter>(files, options)),
      durability_(options.durability),
      rules_(std::move(rules)),
      spares_(builder) {
  executor_.at_end_of_batch(this, [writer = writer_] { writer->end_batch(); });
}

Journal::~Journal() {
  executor_.forget(this);
}

bool Journal::post(std::size_t bytes, std::function<void(SegmentWriter&)> job) {
  return executor_.post(bytes, [writer = writer_, job = std::move(job)] { job(*writer); });
}

std::string Journal::begin(const sim::Simulation& now, const std::string& scene_file) {
  scene_file_ = scene_file;
  const auto hz = static_cast<std::uint32_t>(now.options().tick_rate_hz);
  pass_interval_ = durability_ == Durability::Strict ? 1 : std::max(hz / passes_per_second, 1U);
  if (base::is_planted("late-journal")) pass_interval_ = hz;
  start_segment(now);
  spares_.begin(now);
  constexpr double patience_s = 60;
  if (!executor_.drain(patience_s)) return "the disk does not answer";
  const WriterStatus status = writer_->status();
  return status.error;
}

/// Returns the state after the current tick. If no copy of the world is free, saves the state now;
/// with `may_wait`, returns an empty keyframe instead.
Keyframe Journal::keyframe_of(const sim::Simulation& now, bool may_wait) {
  Keyframe keyframe;
  keyframe.world = spares_.copy(now);
  if (keyframe.world == nullptr) {
    if (may_wait) return keyframe;
    base::ByteWriter state;
    now.save(state);
    keyframe.state = state.take();
    keyframe.bodies = record::body_hashes_of(now);
  }
  keyframe.first_tick = now.tick().number + 1;
  return keyframe;
}

void Journal::start_segment(const sim::Simulation& now) {
  wants_segment_ = false;
  is_lost_ = false;
  since_keyframe_ = since_retry_ = 0;
  ++id_;
  auto keyframe = std::make_shared<Keyframe>(keyframe_of(now, false));
  auto start = std::make_shared<std::vector<std::byte>>();
  if (keyframe->world == nullptr) *start = record::recording_start(now, rules_, scene_file_);
  const std::size_t bytes =
      start->size() + std::max(keyframe->state.size(), writer_->status().largest_state);
  const bool is_queued = post(bytes, [id = id_, start, keyframe, rules = rules_,
                                      scene_file = scene_file_](SegmentWriter& writer) {
    if (keyframe->world != nullptr)
      *start = record::recording_start(*keyframe->world, rules, scene_file);
    writer.begin(id, *start, *keyframe);
  });
  if (!is_queued) lose(0);
}

void Journal::lose(std::uint32_t ticks) {
  ticks_lost_ += ticks;
  if (std::exchange(is_lost_, true)) return;
  since_retry_ = 0;
  // The writer has logged a failed write. Otherwise its queue is full.
  if (writer_->failed_id() != id_)
    base::error("recording interrupted", {{"file", writer_->status().path},
                                          {"why", "the disk is too slow: the queue is full"}});
}

void Journal::add_tick(const state::TickCommands& commands, const sim::Simulation& after,
                       const std::vector<record::RecordedFault>& faults,
                       const record::TickHash& hash) {
  JOSTLE_ASSERT(commands.tick == after.tick());
  newest_hash_ = hash.total;
  newest_tick_ = commands.tick.number;
  if (next_scene_file_) {
    pass_on();
    scene_file_ = *std::exchange(next_scene_file_, std::nullopt);
    // The copies have the earlier scene.
    spares_.begin(after, std::exchange(next_spares_, nullptr));
    return start_segment(after);
  }
  if (!is_lost_ && writer_->failed_id() == id_) {
    lose(tick_count_);
    ticks_ = {};
    tick_count_ = 0;
  }
  if (is_lost_) {
    ++ticks_lost_;
    // While the copies wait for the disk, a segment would cost this tick a save.
    const auto hz = static_cast<std::uint32_t>(after.options().tick_rate_hz);
    const bool is_due = ++since_retry_ >= hz || writer_->wants_segment(id_);
    if (is_due && !spares_.are_busy()) start_segment(after);
    return;
  }
  if (tick_count_ == 0) first_tick_ = commands.tick.number;
  if (base::is_planted("unrecorded-join") && !commands.commands.empty() &&
      std::holds_alternative<state::JoinCommand>(commands.commands.front())) {
    record::write_tick(ticks_, {.tick = commands.tick, .commands = {}}, faults, hash);
  } else if (!base::is_planted("dropped-tick") || commands.tick.number % 500 != 0) {
    record::write_tick(ticks_, commands, faults, hash);
  }
  ++tick_count_;
  ++since_keyframe_;
  const bool is_keyframe_early =
      base::is_planted("early-keyframe") && since_keyframe_ >= record::ticks_per_block;
  if (tick_count_ >= pass_interval_ && !is_keyframe_early) pass_on();
  if ((wants_segment_ || writer_->wants_segment(id_)) && !spares_.are_busy()) {
    pass_on();
    return start_segment(after);
  }
  if (since_keyframe_ < record::ticks_per_block) return;
  const bool may_wait = since_keyframe_ < most_ticks_per_keyframe || spares_.are_busy();
  Keyframe made = keyframe_of(after, may_wait);
  if (made.first_tick == 0) return;
  if (!is_keyframe_early) pass_on();
  since_keyframe_ = 0;
  auto keyframe = std::make_shared<Keyframe>(std::move(made));
  const std::size_t bytes = std::max(keyframe->state.size(), writer_->status().largest_state);
  // A keyframe that does not fit in the queue is left out: the ticks replay without it.
  (void)post(bytes,
             [id = id_, keyframe](SegmentWriter& writer) { writer.add_keyframe(id, *keyframe); });
}

void Journal::pass_on() {
  if (tick_count_ == 0) return;
  auto ticks = std::make_shared<std::vector<std::byte>>(ticks_.take());
  ticks_ = {};
  const std::uint32_t count = std::exchange(tick_count_, 0);
  const bool is_queued =
      !is_lost_ && post(ticks->size() + 256,
                        [id = id_, first = first_tick_, count, ticks](SegmentWriter& writer) {
                          writer.append(id, first, count, *ticks);
                        });
  if (!is_queued) lose(count);
}

bool Journal::wait_durable(double seconds) {
  pass_on();
  return !is_degraded() && executor_.drain(seconds) && !is_degraded() &&
         status().durable_tick == newest_tick_;
}

bool Journal::close(const sim::Simulation& now, double seconds) {
  pass_on();
  if (!is_lost_) {
    auto keyframe = std::make_shared<Keyframe>(keyframe_of(now, false));
    if (!post(keyframe->state.size(), [id = id_, keyframe](SegmentWriter& writer) {
          writer.add_keyframe(id, *keyframe);
          writer.close(id);
        }))
      lose(0);
  }
  return executor_.drain(seconds) && !is_degraded();
}

}  // namespace jostle::journal

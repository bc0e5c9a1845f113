#include "shared/bisect/trace.h"

#include "shared/bisect/trace_lines.h"
#include "shared/record/replay.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <memory>

namespace jostle::bisect {
namespace {

using BlockIterator = std::vector<record::RecordedBlock>::const_iterator;

std::string hexadecimal(std::uint64_t hash) {
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016" PRIx64, hash);
  return digits.data();
}

std::uint32_t number_of(const record::RecordedTick& recorded) {
  return recorded.commands.tick.number;
}

std::string tick_line(const record::RecordedTick& recorded, const sim::Simulation& simulation) {
  const record::TickHash hash = record::tick_hash_of(simulation.hash());
  std::string line = "tick " + std::to_string(number_of(recorded)) + " " + hexadecimal(hash.total);
  for (const std::uint32_t part : hash.parts) {
    std::array<char, 10> text{};
    std::snprintf(text.data(), text.size(), " %08x", part);
    line += text.data();
  }
  return line;
}

std::string stage_line(const std::string& stage, std::uint64_t hash) {
  return "stage " + stage + " " + hexadecimal(hash);
}

/// A running trace.
struct Trace {
  const TraceRequest& request;
  const TakeLine& take_line;
  sim::Simulation& simulation;
  bool is_wanted = true;  // false when the receiver has ended the trace

  void put(const std::string& line) { is_wanted = is_wanted && take_line(line); }

  void put_numbers() {
    for (const physics::StateNumber& number : simulation.world().dump_state())
      put(to_line(number));
  }

  /// Sets a hook that writes during the requested tick: the hash after each stage, or the numbers
  /// after one stage.
  void watch() {
    simulation.set_stage_hook([this](physics::Stage stage) {
      const std::string name(physics::name_of(stage));
      if (request.stages_of != 0) put(stage_line(name, simulation.world().hash().total));
      if (request.numbers_of != 0 && name == request.stage) put_numbers();
    });
  }

  /// Writes the hash or the numbers at the end of the requested tick, after rules and injected
  /// faults. For a tick without a physics step, this is the only output.
  void put_end() {
    if (request.stages_of != 0) put(stage_line(end_of_tick, simulation.hash().total));
    if (request.stage == end_of_tick) put_numbers();
  }
};

/// Returns the ticks that directly follow a keyframe: "ticks 1, 601, 1201, ... do".
std::string ticks_after_keyframes(const record::Recording& recording) {
  constexpr std::size_t most_shown = 8;
  const std::size_t count = recording.blocks.size();
  std::string ticks;
  for (std::size_t i = 0; i < std::min(count, most_shown); ++i)
    ticks += (i == 0 ? "" : ", ") + std::to_string(number_of(recording.blocks[i].ticks.front()));
  return count == 1 ? "only tick " + ticks + " does"
                    : "ticks " + ticks + (count > most_shown ? ", ..." : "") + " do";
}

/// Returns the block that begins with tick `from`, and restores the simulation to the state before
/// that tick. If `from` is 0, returns the first block and restores nothing. The error says why the
/// trace cannot start there.
base::Result<BlockIterator, std::string> go_to_start(std::uint32_t from,
                                                     const record::Recording& recording,
                                                     const std::string& path,
                                                     sim::Simulation& simulation) {
  if (from == 0) return recording.blocks.begin();
  const auto block = std::find_if(
      recording.blocks.begin(), recording.blocks.end(),
      [from](const record::RecordedBlock& each) { return number_of(each.ticks.front()) == from; });
  const std::string tick = std::to_string(from);
  if (block == recording.blocks.end())
    return "--from: tick " + tick + " of '" + path + "' does not directly follow a keyframe; " +
           ticks_after_keyframes(recording);
  if (!record::restore_block(*block, simulation))
    return "'" + path + "': the keyframe before tick " + tick + " cannot be restored";
  return block;
}

}  // namespace

std::vector<std::string> TraceRequest::options() const {
  std::vector<std::string> words;
  if (from != 0) words.insert(words.end(), {"--from", std::to_string(from)});
  if (stages_of != 0) words.insert(words.end(), {"--stages", std::to_string(stages_of)});
  if (numbers_of != 0)
    words.insert(words.end(), {"--numbers", std::to_string(numbers_of), "--stage", stage});
  return words;
}

base::Result<base::Ok, std::string> trace(const record::Recording& recording,
                                          const std::string& path, const sim::RuleFactory& rules,
                                          const TraceRequest& request, const TakeLine& take) {
  auto started = record::start_replay(recording, rules);
  if (!started) return "'" + path + "': " + started.error();
  const std::unique_ptr<sim::Simulation> simulation = *std::move(started);
  const auto start = go_to_start(request.from, recording, path, *simulation);
  if (!start) return start.error();
  Trace running{request, take, *simulation};
  const std::uint32_t watched = std::max(request.stages_of, request.numbers_of);
  for (BlockIterator block = *start; block != recording.blocks.end(); ++block) {
    for (const record::RecordedTick& recorded : block->ticks) {
      const bool is_watched = number_of(recorded) == watched;
      if (is_watched) running.watch();
      record::replay_tick(recorded, *simulation);
      if (is_watched) running.put_end();
      if (watched == 0) running.put(tick_line(recorded, *simulation));
      if (is_watched || !running.is_wanted) return base::Ok{};
    }
  }
  if (watched == 0) return base::Ok{};
  return "'" + path + "' has ticks " + std::to_string(number_of((*start)->ticks.front())) + " to " +
         std::to_string(number_of(recording.blocks.back().ticks.back())) +
         (request.from == 0 ? ", not " : " after --from, not ") + std::to_string(watched);
}

}  // namespace jostle::bisect

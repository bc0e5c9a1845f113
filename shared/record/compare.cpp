#include "shared/record/compare.h"

#include "shared/base/bytes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace jostle::record {
namespace {

using physics::StateNumber;
using physics::StatePart;

/// Names of bodies, by slot of the body and of its shapes.
class Names {
 public:
  explicit Names(const sim::Simulation& simulation) {
    const physics::World& world = simulation.world();
    for (const state::BodyInfo& body : simulation.world_def().bodies) {
      const physics::BodyHandle handle = *simulation.find_body(body.id);
      bodies_.emplace(handle.index, &body);
      for (const physics::ShapeHandle shape : world.shapes(handle))
        shapes_.emplace(shape.index, &body);
    }
  }

  std::optional<state::BodyId> body_at(std::uint64_t slot) const {
    const auto found = bodies_.find(slot);
    return found == bodies_.end() ? std::nullopt : std::optional(found->second->id);
  }

  std::string of(const StateNumber& number) const {
    if (number.owner == StateNumber::no_owner) return std::string(physics::describe(number.part));
    switch (number.part) {
      case StatePart::Bodies:
      case StatePart::Islands:
        return named(bodies_, number.owner, "body");
      case StatePart::Shapes:
        return "shape of " + named(shapes_, number.owner, "shape");
      case StatePart::Contacts:
        return "contact of " + named(shapes_, number.owner >> 32, "shape") + " and " +
               named(shapes_, number.owner & 0xFFFFFFFFU, "shape");
      case StatePart::Joints:
        return "joint " + std::to_string(number.owner);
      default:
        return std::string(physics::describe(number.part)) + " " + std::to_string(number.owner);
    }
  }

 private:
  using Table = std::map<std::uint64_t, const state::BodyInfo*>;

  static std::string named(const Table& table, std::uint64_t slot, const char* kind) {
    const auto found = table.find(slot);
    if (found == table.end()) return std::string(kind) + " in slot " + std::to_string(slot);
    const state::BodyInfo& body = *found->second;
    const std::string id = "body " + std::to_string(body.id.value);
    return body.name.empty() ? id : id + " \"" + body.name + "\"";
  }

  Table bodies_, shapes_;
};

/// A comparison of two listings, which it merges to find their differences.
class Comparer {
 public:
  Comparer(const std::vector<StateNumber>& a, const sim::Simulation& names_a,
           const std::vector<StateNumber>& b, const sim::Simulation& names_b)
      : names_a_(names_a), names_b_(names_b), a_(a), b_(b) {}

  StateComparison run() {
    std::size_t i = 0, j = 0;
    while (i < a_.size() || j < b_.size()) {
      if (i < a_.size() && j < b_.size() && is_same_place(a_[i], b_[j])) {
        if (a_[i].bits != b_[j].bits) add(&a_[i], &b_[j]);
        ++i, ++j;
      } else if (j == b_.size() || (i < a_.size() && goes_first(i, j))) {
        add(&a_[i++], nullptr);
      } else {
        add(nullptr, &b_[j++]);
      }
    }
    result_.bodies.assign(bodies_.begin(), bodies_.end());
    return std::move(result_);
  }

 private:
  /// Returns true if a's entry is missing in b, at a position where the two listings have different
  /// entries.
  bool goes_first(std::size_t i, std::size_t j) const {
    if (is_listed_before(a_[i], b_[j])) return true;
    if (is_listed_before(b_[j], a_[i])) return false;
    // Both entries belong to the same owner, and one listing has additional numbers, such as those
    // of one more contact point.
    const auto comes_later = [&](const std::vector<StateNumber>& list, std::size_t from,
                                 const StateNumber& wanted) {
      for (std::size_t k = from; k < list.size() && !is_listed_before(wanted, list[k]); ++k)
        if (is_same_place(list[k], wanted)) return true;
      return false;
    };
    return !comes_later(b_, j, a_[i]);
  }

  void add(const StateNumber* a, const StateNumber* b) {
    ++result_.number_count;
    const StateNumber& known = a != nullptr ? *a : *b;
    const Names& names = a != nullptr ? names_a_ : names_b_;
    if (known.part == StatePart::Bodies || known.part == StatePart::Islands)
      if (const auto body = names.body_at(known.owner)) bodies_.insert(*body);
    if (result_.numbers.size() == max_numbers) return;
    NumberDifference difference{.a = known, .b = known, .where = names.of(known)};
    if (a != nullptr && b != nullptr) {
      difference.b = *b;
      difference.ulps = ulps_between(*a, *b);
    }
    difference.is_only_in_a = b == nullptr;
    difference.is_only_in_b = a == nullptr;
    result_.numbers.push_back(std::move(difference));
  }

  Names names_a_, names_b_;
  const std::vector<StateNumber>&a_, &b_;
  std::set<state::BodyId> bodies_;
  StateComparison result_;
};

/// Position of a tick in a recording.
struct Place {
  std::size_t block = 0, tick = 0;
};

std::uint32_t first_tick(const RecordedBlock& block) {
  return block.ticks.front().commands.tick.number;
}

std::uint32_t first_tick(const Recording& recording) {
  return first_tick(recording.blocks.front());
}

std::uint32_t last_tick(const Recording& recording) {
  return recording.blocks.back().ticks.back().commands.tick.number;
}

Place place_of(const Recording& recording, std::uint32_t tick) {
  std::size_t block = 0;
  while (block + 1 < recording.blocks.size() && first_tick(recording.blocks[block + 1]) <= tick)
    ++block;
  return {block, tick - first_tick(recording.blocks[block])};
}

const RecordedTick& tick_of(const Recording& recording, std::uint32_t tick) {
  const Place place = place_of(recording, tick);
  return recording.blocks[place.block].ticks[place.tick];
}

/// Replays the block that contains the tick, up to this tick, and returns the state after it.
/// Returns null if this build cannot restore the block or a replayed hash differs from the recorded
/// one. If `before_faults` is given, it receives the state after the step of that tick and before
/// its faults.
std::unique_ptr<sim::Simulation> remade(const Recording& recording, std::uint32_t tick,
                                        const sim::RuleFactory& rules, const TickHook& after_tick,
                                        sim::Simulation* before_faults) {
  auto started = start_replay(recording, rules);
  if (!started) return nullptr;
  std::unique_ptr<sim::Simulation> simulation = *std::move(started);
  const Place place = place_of(recording, tick);
  const RecordedBlock& block = recording.blocks[place.block];
  if (!restore_block(block, *simulation)) return nullptr;
  for (std::size_t i = 0; i <= place.tick; ++i) {
    RecordedTick recorded = block.ticks[i];
    const auto faults = std::exchange(recorded.faults, {});
    replay_tick(recorded, *simulation);
    if (i == place.tick && before_faults != nullptr) before_faults->copy_from(*simulation);
    for (const RecordedFault& fault : faults)
      simulation->flip_lowest_bit(fault.body, fault.field);
    if (after_tick) after_tick();
    if (tick_hash_of(simulation->hash()) != block.ticks[i].hash) return nullptr;
  }
  return simulation;
}

/// Returns the saved state at the start of a block; null if this build cannot restore it.
std::unique_ptr<sim::Simulation> restored(const Recording& recording, const RecordedBlock& block,
                                          const sim::RuleFactory& rules) {
  auto started = start_replay(recording, rules);
  if (!started) return nullptr;
  if (!restore_block(block, **started)) return nullptr;
  return *std::move(started);
}

/// Compares the states after the first tick whose hashes differ. Returns false if this build does
/// not reproduce both recordings.
bool compare_remade(const Recording& a, const Recording& b, const sim::RuleFactory& rules,
                    const TickHook& after_tick, RecordingComparison& result) {
  const std::uint32_t tick = result.hashes_differ->number;
  auto before_a = start_replay(a, rules), before_b = start_replay(b, rules);
  if (!before_a || !before_b) return false;
  const auto state_a = remade(a, tick, rules, after_tick, before_a->get());
  const auto state_b = remade(b, tick, rules, after_tick, before_b->get());
  if (!state_a || !state_b) return false;
  result.states_at = result.hashes_differ;
  result.states = compare(*state_a, *state_b);
  const bool has_faults = tick_of(a, tick).faults != tick_of(b, tick).faults;
  result.is_fault = has_faults && (*before_a)->hash().total == (*before_b)->hash().total;
  return true;
}

/// Compares the states before the tick. They are equal if both recordings contain the previous
/// tick, because the hashes after that tick matched.
RecordingComparison::Before compare_before(const Recording& a, const Recording& b,
                                           std::uint32_t tick) {
  using Before = RecordingComparison::Before;
  if (tick > std::max(first_tick(a), first_tick(b))) return Before::Same;
  const RecordedBlock& block_a = a.blocks[place_of(a, tick).block];
  const RecordedBlock& block_b = b.blocks[place_of(b, tick).block];
  if (first_tick(block_a) != tick || first_tick(block_b) != tick) return Before::NotKnown;
  return block_a.state_before == block_b.state_before ? Before::Same : Before::Differs;
}

/// Compares saved states at the first later tick where both recordings begin a block with a state
/// that this build can restore. Returns false if there is none.
bool compare_written(const Recording& a, const Recording& b, const sim::RuleFactory& rules,
                     RecordingComparison& result) {
  for (const RecordedBlock& block_a : a.blocks) {
    const std::uint32_t tick = first_tick(block_a);
    if (tick <= result.hashes_differ->number || tick > last_tick(b)) continue;
    const RecordedBlock& block_b = b.blocks[place_of(b, tick).block];
    if (first_tick(block_b) != tick) continue;
    const auto state_a = restored(a, block_a, rules), state_b = restored(b, block_b, rules);
    if (!state_a || !state_b) continue;
    result.states_at = state::Tick{tick - 1};
    result.states = compare(*state_a, *state_b);
    return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> why_not_comparable(const Recording& a, const Recording& b) {
  if (a.blocks.empty() || b.blocks.empty())
    return "one of the recordings has no complete block of ticks";
  if (a.header.scene_hash != b.header.scene_hash) return "the recordings are of different scenes";
  if (a.header.tick_rate_hz != b.header.tick_rate_hz) {
    return "the recordings have different tick rates, in Hz: " +
           std::to_string(a.header.tick_rate_hz) + " and " + std::to_string(b.header.tick_rate_hz);
  }
  if (a.header.rules != b.header.rules) return "the recordings were made with different rules";
  if (first_tick(a) > last_tick(b) || first_tick(b) > last_tick(a))
    return "the recordings have no tick in common";
  return std::nullopt;
}

StateComparison compare(const sim::Simulation& a, const sim::Simulation& b) {
  const auto listed_a = a.world().dump_state(), listed_b = b.world().dump_state();
  StateComparison result = Comparer(listed_a, a, listed_b, b).run();
  result.rules_differ = a.hash().rules != b.hash().rules;
  return result;
}

StateComparison compare(const std::vector<StateNumber>& a, const std::vector<StateNumber>& b,
                        const sim::Simulation& names) {
  return Comparer(a, names, b, names).run();
}

base::Result<RecordingComparison, std::string> compare(const Recording& a, const Recording& b,
                                                       const sim::RuleFactory& rules,
                                                       const TickHook& after_tick) {
  if (const auto why = why_not_comparable(a, b)) return *why;
  RecordingComparison result;
  result.begin_together = first_tick(a) == first_tick(b);
  const std::uint32_t last = std::min(last_tick(a), last_tick(b));
  for (std::uint32_t tick = std::max(first_tick(a), first_tick(b)); tick <= last; ++tick) {
    const RecordedTick &in_a = tick_of(a, tick), &in_b = tick_of(b, tick);
    ++result.ticks_compared;
    if (!result.inputs_differ && (in_a.commands != in_b.commands || in_a.faults != in_b.faults))
      result.inputs_differ = state::Tick{tick};
    if (in_a.hash == in_b.hash) continue;
    result.hashes_differ = state::Tick{tick};
    result.hash_a = in_a.hash;
    result.hash_b = in_b.hash;
    break;
  }
  if (result.hashes_differ) result.before = compare_before(a, b, result.hashes_differ->number);
  if (!result.hashes_differ || compare_remade(a, b, rules, after_tick, result)) return result;
  result.why_no_states = "this build does not reproduce both recordings";
  if (!compare_written(a, b, rules, result))
    result.why_no_states += ", and they have no saved state in common after that tick";
  return result;
}

std::string cause_of(const RecordingComparison& comparison) {
  using Before = RecordingComparison::Before;
  const std::uint32_t tick = comparison.hashes_differ->number;
  if (comparison.is_fault) return "an injected fault, which only one recording has";
  if (comparison.inputs_differ == comparison.hashes_differ) return "different inputs in that tick";
  if (comparison.inputs_differ && comparison.inputs_differ->number < tick) {
    return "inputs differ from tick " + std::to_string(comparison.inputs_differ->number) +
           "; until tick " + std::to_string(tick) + " they had no effect";
  }
  if (comparison.before == Before::Differs && comparison.begin_together)
    return "different initial states: this is the first tick of both recordings";
  if (comparison.before == Before::Differs)
    return "the states before it already differ: tick " + std::to_string(tick) +
           " is the first tick that both recordings have";
  if (comparison.before == Before::NotKnown)
    return "unknown, because one recording has no saved state before this tick, the first that "
           "both have";
  return "the step itself: the inputs and the state before, including contacts and warm starting, "
         "are equal";
}

}  // namespace jostle::record

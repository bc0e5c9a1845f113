#include "shared/desync_search/desync_search.h"

#include "shared/base/hash.h"
#include "shared/physics/state_listing.h"
#include "shared/record/recording.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace jostle::desync_search {
namespace {

using protocol::DesyncAnswer;
using protocol::DesyncLevel;
using protocol::DesyncQuestion;
using protocol::DesyncReport;

constexpr std::size_t part_count = record::hash_parts.size();

std::uint32_t low_half(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash);
}

std::vector<record::BodyHash> block_of(const std::vector<record::BodyHash>& bodies,
                                       std::size_t block) {
  const std::size_t first = std::min(bodies.size(), block * protocol::desync_block_bodies);
  const std::size_t last = std::min(bodies.size(), first + protocol::desync_block_bodies);
  return {bodies.begin() + static_cast<std::ptrdiff_t>(first),
          bodies.begin() + static_cast<std::ptrdiff_t>(last)};
}

/// Returns hashes of the parts of a state, then of its blocks of bodies, including their ids.
std::vector<std::uint32_t> tree_of(const sim::Simulation& simulation) {
  const record::TickHash parts = record::tick_hash_of(simulation.hash());
  std::vector<std::uint32_t> tree(parts.parts.begin(), parts.parts.end());
  const std::vector<record::BodyHash> bodies = record::body_hashes_of(simulation);
  const std::size_t blocks =
      (bodies.size() + protocol::desync_block_bodies - 1) / protocol::desync_block_bodies;
  for (std::size_t block = 0; block < blocks && tree.size() < protocol::max_desync_hashes;
       ++block) {
    base::Hasher hasher;
    for (const record::BodyHash& body : block_of(bodies, block)) {
      hasher.add(body.body.value);
      hasher.add(body.hash);
    }
    tree.push_back(low_half(hasher.finish()));
  }
  return tree;
}

/// Returns the numbers of one body's state in the order of World::dump_state(), at most
/// max_desync_numbers. The list is empty if there is no such body.
std::vector<physics::StateNumber> numbers_of(const sim::Simulation& simulation, state::BodyId id) {
  const auto handle = simulation.find_body(id);
  std::vector<physics::StateNumber> numbers;
  if (!handle) return numbers;
  for (const physics::StateNumber& number : simulation.world().dump_state()) {
    if (number.part == physics::StatePart::Bodies && number.owner == handle->index &&
        numbers.size() < protocol::max_desync_numbers)
      numbers.push_back(number);
  }
  return numbers;
}

std::string name_of(const sim::Simulation& simulation, state::BodyId id) {
  std::string name = "body " + std::to_string(id.value);
  for (const state::BodyInfo& body : simulation.world_def().bodies)
    if (body.id == id && !body.name.empty()) name += " \"" + body.name + "\"";
  return name;
}

DesyncReport report(state::Tick tick, state::BodyId body, const std::string& where) {
  return {tick, body, "tick " + std::to_string(tick.number) + ": " + where};
}

std::string parts_text(const DesyncAnswer& answer, const std::vector<std::uint32_t>& ours) {
  std::string text;
  for (std::size_t i = 0; i < part_count; ++i) {
    if (i < answer.hashes.size() && answer.hashes[i] != ours[i])
      text += (text.empty() ? "" : ", ") + std::string(record::hash_parts[i]);
  }
  return text.empty() ? "only the total hash" : text;
}

NextStep after_ticks(const sim::Simulation& then, const DesyncAnswer& answer) {
  const std::vector<std::uint32_t> ours = tree_of(then);
  for (std::size_t i = part_count; i < ours.size() && i < answer.hashes.size(); ++i) {
    if (ours[i] == answer.hashes[i]) continue;
    DesyncQuestion question{
        DesyncLevel::Bodies, answer.tick, static_cast<std::uint32_t>(i - part_count), {}};
    for (const record::BodyHash& body : block_of(record::body_hashes_of(then), question.block))
      question.hashes.push_back(low_half(body.hash));
    return question;
  }
  const std::string number_of_bodies =
      ours.size() == answer.hashes.size() ? "" : ", and the numbers of bodies differ";
  return report(
      answer.tick, {},
      "no body differs, but these parts do: " + parts_text(answer, ours) + number_of_bodies);
}

NextStep after_bodies(const sim::Simulation& then, const DesyncAnswer& answer,
                      const std::string& peer_name) {
  const std::string name = name_of(then, answer.body);
  const std::vector<physics::StateNumber> ours = numbers_of(then, answer.body);
  for (std::size_t i = 0; i < ours.size() && i < answer.numbers.size(); ++i) {
    if (ours[i].bits == answer.numbers[i]) continue;
    physics::StateNumber theirs = ours[i];
    theirs.bits = answer.numbers[i];
    const std::uint64_t ulps = physics::ulps_between(ours[i], theirs);
    return report(answer.tick, answer.body,
                  name + ", " + ours[i].field() + ": the server has " + ours[i].text() + ", " +
                      peer_name + " has " + theirs.text() +
                      (ulps == 0 ? "" : ", " + std::to_string(ulps) + " ulp apart"));
  }
  return report(answer.tick, answer.body, name);
}

/// Returns the report of a search that cannot continue.
NextStep lost(const DesyncAnswer& answer, const std::string& peer_name) {
  if (answer.tick.number == 0)
    return DesyncReport{{}, {}, peer_name + " no longer has the states that differ"};
  return report(answer.tick, {}, "the server no longer has the state");
}

DesyncAnswer answer_ticks(StateBuffer& own, const DesyncQuestion& question) {
  DesyncAnswer answer;
  const auto count = static_cast<std::uint32_t>(question.hashes.size());
  for (std::uint32_t i = 0; i < count && answer.tick.number == 0; ++i) {
    const std::uint32_t back = count - 1 - i;
    if (back >= question.tick.number) continue;
    const state::Tick tick{question.tick.number - back};
    const auto hash = own.hash(tick);
    if (hash && low_half(*hash) != question.hashes[i]) answer.tick = tick;
  }
  if (answer.tick.number == 0) return answer;
  if (const sim::Simulation* const then = own.at(answer.tick)) {
    answer.hashes = tree_of(*then);
  } else {
    answer.tick = {};
  }
  return answer;
}

DesyncAnswer answer_bodies(StateBuffer& own, const DesyncQuestion& question) {
  DesyncAnswer answer;
  answer.level = DesyncLevel::Bodies;
  answer.block = question.block;
  const sim::Simulation* const then = own.at(question.tick);
  if (then == nullptr) return answer;
  answer.tick = question.tick;
  const std::vector<record::BodyHash> bodies =
      block_of(record::body_hashes_of(*then), question.block);
  for (std::size_t i = 0; i < bodies.size() && i < question.hashes.size(); ++i) {
    if (low_half(bodies[i].hash) == question.hashes[i]) continue;
    answer.body = bodies[i].body;
    break;
  }
  for (const physics::StateNumber& number : numbers_of(*then, answer.body))
    answer.numbers.push_back(number.bits);
  return answer;
}

}  // namespace

std::optional<DesyncQuestion> first_question(const StateBuffer& ours, state::Tick at) {
  DesyncQuestion question{DesyncLevel::Ticks, at, 0, {}};
  for (std::uint32_t back = 0; back < protocol::desync_window_ticks && back < at.number; ++back) {
    const auto hash = ours.hash(state::previous(at, back));
    if (!hash) break;
    question.hashes.push_back(low_half(*hash));
  }
  if (question.hashes.empty()) return std::nullopt;
  std::reverse(question.hashes.begin(), question.hashes.end());
  return question;
}

NextStep advance_search(StateBuffer& ours, const DesyncAnswer& answer,
                        const std::string& peer_name) {
  const sim::Simulation* const then = answer.tick.number == 0 ? nullptr : ours.at(answer.tick);
  if (then == nullptr) return lost(answer, peer_name);
  return answer.level == DesyncLevel::Ticks ? after_ticks(*then, answer)
                                            : after_bodies(*then, answer, peer_name);
}

DesyncAnswer answer(StateBuffer& own, const DesyncQuestion& question) {
  return question.level == DesyncLevel::Ticks ? answer_ticks(own, question)
                                              : answer_bodies(own, question);
}

}  // namespace jostle::desync_search

#include "shared/record/timed_fault.h"

#include "shared/base/parse_number.h"
#include "shared/base/printable.h"
#include "shared/base/suggestion.h"
#include "shared/physics/state_listing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace jostle::record {
namespace {

/// Returns the range of the bodies' ids, for error messages: "bodies are 1 to 37".
std::string bodies_of(const sim::Simulation& simulation) {
  const std::vector<state::BodyInfo>& bodies = simulation.world_def().bodies;
  if (bodies.empty()) return "the scene has no bodies";
  const auto [least, most] = std::minmax_element(
      bodies.begin(), bodies.end(),
      [](const state::BodyInfo& a, const state::BodyInfo& b) { return a.id.value < b.id.value; });
  return "bodies are " + std::to_string(least->id.value) + " to " + std::to_string(most->id.value);
}

}  // namespace

std::optional<TimedFault> parse_fault(const std::string& text) {
  const std::size_t tick = text.find(':'), body = text.find(':', tick + 1),
                    field = text.find(':', body + 1);
  if (tick == std::string::npos || body == std::string::npos || field == std::string::npos)
    return std::nullopt;
  const auto tick_number =
      base::parse_number<std::uint32_t>(text.substr(tick + 1, body - tick - 1));
  const auto body_number =
      base::parse_number<std::uint32_t>(text.substr(body + 1, field - body - 1));
  const std::string name = text.substr(field + 1);
  if (text.substr(0, tick) != "ulp" || !tick_number || !body_number || name.empty() ||
      name.size() > max_field_name_bytes)
    return std::nullopt;
  return TimedFault{{*tick_number}, {{*body_number}, name}};
}

std::string why_no_fault(const std::string& text) {
  return parse_fault(text) ? std::string()
                           : "'" + text + "' is not of the form ulp:TICK:BODY:FIELD";
}

std::string why_not_injected(const sim::Simulation& simulation, const RecordedFault& fault) {
  const std::string body = "body " + std::to_string(fault.body.value);
  const auto handle = simulation.find_body(fault.body);
  if (!handle) return "there is no " + body + "; " + bodies_of(simulation);
  std::vector<std::string> fields;
  for (const physics::StateNumber& number : simulation.world().dump_state()) {
    const bool is_of_body =
        number.part == physics::StatePart::Bodies || number.part == physics::StatePart::Islands;
    if (!is_of_body || number.owner != handle->index) continue;
    if (number.field() == fault.field) return {};
    fields.push_back(number.field());
  }
  const std::string hint = base::suggestion(fault.field, fields);
  std::string words = body + " has no field '" + base::printable(fault.field) + "'" + hint +
                      (hint.empty() ? "; fields:" : " Fields:");
  for (const std::string& field : fields)
    words += (&field == &fields.front() ? " " : ", ") + field;
  return words;
}

std::string why_not_in_run(const std::vector<std::string>& texts, std::uint32_t last_tick) {
  std::map<state::Tick, std::size_t> counts;
  for (const std::string& text : texts) {
    const state::Tick tick = parse_fault(text)->tick;
    if (tick.number == 0 || tick.number > last_tick)
      return "the run has ticks 1 to " + std::to_string(last_tick) + ", not " +
             std::to_string(tick.number);
    if (++counts[tick] > max_faults_per_tick)
      return "tick " + std::to_string(tick.number) + " has more than " +
             std::to_string(max_faults_per_tick) + " faults";
  }
  return {};
}

std::string describe(const FaultsByTick& faults) {
  std::string text;
  for (const auto& [tick, of_tick] : faults) {
    for (const RecordedFault& fault : of_tick)
      text += (text.empty() ? "tick " : "; tick ") + std::to_string(tick.number) + ": body " +
              std::to_string(fault.body.value) + ", " + base::printable(fault.field);
  }
  return text;
}

FaultsByTick parse_faults(const std::vector<std::string>& texts) {
  FaultsByTick faults;
  for (const std::string& text : texts) {
    TimedFault timed = *parse_fault(text);
    std::vector<RecordedFault>& made = faults[timed.tick];
    if (made.size() < max_faults_per_tick) made.push_back(std::move(timed.fault));
  }
  return faults;
}

}  // namespace jostle::record

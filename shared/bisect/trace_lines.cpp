#include "shared/bisect/trace_lines.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <sstream>

namespace jostle::bisect {
namespace {

constexpr unsigned part_count = static_cast<unsigned>(physics::StatePart::Materials) + 1;
constexpr unsigned kind_count = static_cast<unsigned>(physics::NumberKind::F64) + 1;

}  // namespace

std::vector<physics::Stage> traced_stages() {
  using physics::Stage;
  return {Stage::Prepare, Stage::FindPairs, Stage::Collide,     Stage::Solve,
          Stage::Sleep,   Stage::Particles, Stage::FinishEvents};
}

std::optional<physics::Stage> find_stage(std::string_view name) {
  for (const physics::Stage stage : traced_stages())
    if (physics::name_of(stage) == name) return stage;
  return std::nullopt;
}

std::string to_line(const physics::StateNumber& number) {
  std::array<char, 256> line{};
  std::snprintf(line.data(), line.size(), "number %x %x %" PRIx64 " %x %x %" PRIx64 " %s%s%s",
                static_cast<unsigned>(number.section), static_cast<unsigned>(number.part),
                number.owner, static_cast<unsigned>(number.index),
                static_cast<unsigned>(number.kind), number.bits, number.name,
                number.component == nullptr ? "" : " ",
                number.component == nullptr ? "" : number.component);
  return line.data();
}

const char* NumberLines::kept(const std::string& name) {
  const auto known = std::find(names_.begin(), names_.end(), name);
  return known != names_.end() ? known->c_str() : names_.emplace_back(name).c_str();
}

bool NumberLines::add(const std::string& line) {
  std::istringstream words(line);
  std::string keyword, name, component;
  unsigned section = 0, part = 0, index = 0, kind = 0;
  physics::StateNumber number;
  words >> keyword >> std::hex >> section >> part >> number.owner >> index >> kind >> number.bits >>
      name;
  if (!words || keyword != "number" || section > 0xFF || index > 0xFFFF || part >= part_count ||
      kind >= kind_count)
    return false;
  words >> component;
  number.section = static_cast<std::uint8_t>(section);
  number.part = static_cast<physics::StatePart>(part);
  number.index = static_cast<std::uint16_t>(index);
  number.kind = static_cast<physics::NumberKind>(kind);
  number.name = kept(name);
  number.component = component.empty() ? nullptr : kept(component);
  numbers_.push_back(number);
  return true;
}

}  // namespace jostle::bisect

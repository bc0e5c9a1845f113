#include "shared/physics/state_listing.h"

#include "shared/physics/detail/state_walk.h"
#include "shared/physics/world.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

namespace jostle::physics {
namespace {

class ListingArchive {
 public:
  void begin_part(StatePart part) {
    part_ = part;
    end();
  }
  void begin(std::uint64_t owner) {
    owner_ = owner;
    first_ = numbers_.size();
  }
  void end() {
    ++section_;
    begin(StateNumber::no_owner);
  }

  void operator()(base::FieldName name, bool value) { add(name, NumberKind::Boolean, value); }
  void operator()(base::FieldName name, std::int32_t value) {
    add(name, NumberKind::Signed32, static_cast<std::uint32_t>(value));
  }
  void operator()(base::FieldName name, std::uint32_t value) {
    add(name, NumberKind::Unsigned32, value);
  }
  void operator()(base::FieldName name, std::uint64_t value) {
    add(name, NumberKind::Unsigned64, value);
  }
  void operator()(base::FieldName name, float value) {
    add(name, NumberKind::F32, std::bit_cast<std::uint32_t>(value));
  }
  void operator()(base::FieldName name, double value) {
    add(name, NumberKind::F64, std::bit_cast<std::uint64_t>(value));
  }
  void flags(const char* name, std::uint8_t value, std::uint8_t) {
    add(name, NumberKind::Code, value);
  }
  template <typename Enum>
  void enumerator(const char* name, Enum value, std::uint8_t) {
    add(name, NumberKind::Code, static_cast<std::uint8_t>(value));
  }
  void solid(const char* name, const std::shared_ptr<const state::Solid>& solid) {
    add(name, NumberKind::Unsigned64, solid->content_hash);
  }

  std::vector<StateNumber> take() { return std::move(numbers_); }

 private:
  void add(base::FieldName name, NumberKind kind, std::uint64_t bits) {
    numbers_.push_back({.part = part_,
                        .kind = kind,
                        .section = section_,
                        .index = index_of(name),
                        .name = name.name,
                        .component = name.part,
                        .owner = owner_,
                        .bits = bits});
  }
  /// Returns the number of entries with this name that the owner has so far. Only the last
  /// `most_numbers_between` entries are searched, because equal names are close to each other.
  std::uint16_t index_of(base::FieldName name) const {
    for (std::size_t i = numbers_.size(); i > first_; --i) {
      const StateNumber& number = numbers_[i - 1];
      if (number.name == name.name && number.component == name.part)
        return static_cast<std::uint16_t>(number.index + 1);
      if (numbers_.size() - i > most_numbers_between) break;
    }
    return 0;
  }

  /// Maximum distance between two entries with the same name. It suffices for the axes and impulses
  /// of a joint, the points of a contact and the values of a particle.
  static constexpr std::size_t most_numbers_between = 96;

  StatePart part_ = StatePart::Options;
  std::uint8_t section_ = 0;
  std::uint64_t owner_ = StateNumber::no_owner;
  std::size_t first_ = 0;  // index of the owner's first number
  std::vector<StateNumber> numbers_;
};

/// Returns an integer that is ordered like the float with these bits.
std::int64_t ordered(std::uint32_t bits) {
  constexpr std::uint32_t sign = 0x80000000U;
  return (bits & sign) != 0 ? -static_cast<std::int64_t>(bits & ~sign)
                            : static_cast<std::int64_t>(bits);
}
std::int64_t ordered(std::uint64_t bits) {
  constexpr std::uint64_t sign = 0x8000000000000000U;
  return (bits & sign) != 0 ? -static_cast<std::int64_t>(bits & ~sign)
                            : static_cast<std::int64_t>(bits);
}

template <typename Number>
std::string shortest(Number value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string hexadecimal(std::uint64_t bits, int digits) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%0*llX", digits,
                static_cast<unsigned long long>(bits));
  return text.data();
}

}  // namespace

std::string_view describe(StatePart part) {
  switch (part) {
    case StatePart::Options:
      return "options";
    case StatePart::Bodies:
      return "bodies";
    case StatePart::Shapes:
      return "shapes";
    case StatePart::Islands:
      return "islands";
    case StatePart::Joints:
      return "joints";
    case StatePart::Contacts:
      return "contacts";
    case StatePart::Fields:
      return "fields";
    case StatePart::Sensors:
      return "sensors";
    case StatePart::Particles:
      return "particles";
    case StatePart::Integrators:
      return "integrators";
    case StatePart::Materials:
      return "materials";
  }
  return "unknown part";
}

std::string StateNumber::field() const {
  std::string text = name;
  if (index > 0) text.append("[").append(std::to_string(index)).append("]");
  if (component != nullptr) text.append(".").append(component);
  return text;
}

std::string StateNumber::text() const {
  switch (kind) {
    case NumberKind::Boolean:
      return bits != 0 ? "true" : "false";
    case NumberKind::Code:
    case NumberKind::Unsigned32:
    case NumberKind::Unsigned64:
      return std::to_string(bits);
    case NumberKind::Signed32:
      return std::to_string(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
    case NumberKind::F32:
      return shortest(std::bit_cast<float>(static_cast<std::uint32_t>(bits))) + " (" +
             hexadecimal(bits, 8) + ")";
    case NumberKind::F64:
      return shortest(std::bit_cast<double>(bits)) + " (" + hexadecimal(bits, 16) + ")";
  }
  return {};
}

std::uint64_t ulps_between(const StateNumber& a, const StateNumber& b) {
  if (a.kind != b.kind) return 0;
  if (a.kind == NumberKind::F32) {
    const std::int64_t x = ordered(static_cast<std::uint32_t>(a.bits)),
                       y = ordered(static_cast<std::uint32_t>(b.bits));
    return static_cast<std::uint64_t>(x > y ? x - y : y - x);
  }
  if (a.kind == NumberKind::F64) {
    const auto x = static_cast<std::uint64_t>(ordered(a.bits)),
               y = static_cast<std::uint64_t>(ordered(b.bits));
    return ordered(a.bits) > ordered(b.bits) ? x - y : y - x;
  }
  return 0;
}

bool is_same_place(const StateNumber& a, const StateNumber& b) {
  const auto text_of = [](const char* text) { return text == nullptr ? "" : text; };
  return a.section == b.section && a.owner == b.owner && a.index == b.index &&
         std::strcmp(a.name, b.name) == 0 &&
         std::strcmp(text_of(a.component), text_of(b.component)) == 0;
}

bool is_listed_before(const StateNumber& a, const StateNumber& b) {
  // Numbers without an owner come first: `no_owner` + 1 is 0.
  return std::pair(a.section, a.owner + 1) < std::pair(b.section, b.owner + 1);
}

std::vector<StateNumber> World::dump_state() const {
  ListingArchive archive;
  archive.begin_part(StatePart::Options);
  visit_options(archive, state_->options);
  archive.begin_part(StatePart::Bodies);
  visit_bodies(archive, *state_);
  archive.begin_part(StatePart::Shapes);
  visit_shapes(archive, *state_);
  archive.begin_part(StatePart::Islands);
  visit_islands(archive, *state_);
  archive.begin_part(StatePart::Joints);
  visit_joints(archive, *state_);
  archive.begin_part(StatePart::Contacts);
  visit_contacts(archive, *state_);
  archive.begin_part(StatePart::Fields);
  visit_fields(archive, *state_);
  archive.begin_part(StatePart::Sensors);
  visit_sensors(archive, *state_);
  archive.begin_part(StatePart::Particles);
  visit_particles(archive, *state_);
  archive.begin_part(StatePart::Integrators);
  visit_integrators(archive, *state_);
  archive.begin_part(StatePart::Materials);
  visit_materials(archive, *state_);
  return archive.take();
}

}  // namespace jostle::physics

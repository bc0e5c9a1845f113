#pragma once

#include "shared/physics/execution.h"
#include "shared/physics/state_listing.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::bisect {

// The format of a number of a state, which a trace prints and a bisection reads. The two programs
// may be different builds on different machines, so the format is text, with hexadecimal numbers:
//
//   number SECTION PART OWNER INDEX KIND BITS NAME [COMPONENT]

/// Returns the stages of a step after which the state can be hashed, in their order.
/// physics::name_of() returns their names.
std::vector<physics::Stage> traced_stages();
std::optional<physics::Stage> find_stage(std::string_view name);
/// Name that stands for the end of a tick, after rules and faults, where a stage's name is
/// expected.
inline constexpr const char* end_of_tick = "end";

std::string to_line(const physics::StateNumber& number);

/// The parsed numbers of a trace. Owns the names of the numbers, so the numbers must not outlive
/// this object.
class NumberLines {
 public:
  /// Parses one line. Returns false if it is not a number line.
  bool add(const std::string& line);
  const std::vector<physics::StateNumber>& numbers() const { return numbers_; }

 private:
  const char* kept(const std::string& name);

  std::deque<std::string> names_;
  std::vector<physics::StateNumber> numbers_;
};

}  // namespace jostle::bisect

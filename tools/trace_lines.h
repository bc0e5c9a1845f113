#pragma once

#include "shared/physics/execution.h"
#include "shared/physics/state_listing.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::tools {

// What `jostle trace` prints and `jostle bisect` reads, of its own program and of another one,
// which may be another version on another machine: words and hexadecimal numbers, a line each.
//
//   number SECTION PART OWNER INDEX KIND BITS NAME [COMPONENT]

/// The stages after which a step may be looked at, in their order, by name_of().
std::vector<physics::Stage> traced_stages();
std::optional<physics::Stage> find_stage(std::string_view name);
/// What stands in place of a stage for the end of a tick, after rules and faults.
inline constexpr const char* end_of_tick = "end";

std::string to_line(const physics::StateNumber& number);

/// Numbers and what they are called, which lives as long as this.
class NumberLines {
 public:
  /// False when it is not such a line.
  bool add(const std::string& line);
  const std::vector<physics::StateNumber>& numbers() const { return numbers_; }

 private:
  const char* kept(const std::string& name);

  std::deque<std::string> names_;
  std::vector<physics::StateNumber> numbers_;
};

}  // namespace jostle::tools

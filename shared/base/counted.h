#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace jostle::base {

/// Returns the count and the noun, in the singular for 1 and otherwise in the plural: "1 body", "2
/// bodies". The plural of "body" is "bodies"; all other nouns get an "s".
inline std::string counted(std::integral auto count, std::string_view noun) {
  if (count == 1) return "1 " + std::string(noun);
  return std::to_string(count) + " " + (noun == "body" ? "bodies" : std::string(noun) + "s");
}

}  // namespace jostle::base

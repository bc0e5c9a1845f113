#pragma once

#include <string>
#include <string_view>

namespace jostle::version {

/// Returns the text of `PROGRAM --version`: commit::version_text(), and the versions that two
/// programs must share to understand each other. One "name value" pair per line after the first.
std::string version_report(std::string_view program);

}  // namespace jostle::version

#pragma once

#include <string>
#include <string_view>

namespace jostle::version {

/// Returns the commit that the program was built from: 12 hexadecimal digits, followed by " with
/// local changes" if files of the checkout were modified. Returns "unknown" for a build outside a
/// checkout.
std::string_view commit();

/// Returns the text of `PROGRAM --version`: version, commit, compiler, and the versions that two
/// programs must share to understand each other. One "name value" pair per line after the first.
std::string version_report(std::string_view program);

}  // namespace jostle::version

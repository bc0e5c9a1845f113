#pragma once

#include <string>
#include <string_view>

namespace jostle::version {

/// The commit that the program was built from: 12 hexadecimal digits, " with local changes" if
/// files of the checkout were modified, or "unknown" for a build outside a checkout.
std::string_view commit();

/// The text of `PROGRAM --version`: version, commit, compiler, and the versions that two programs
/// must share to understand each other. One "name value" pair per line after the first.
std::string version_report(std::string_view program);

}  // namespace jostle::version

#pragma once

#include <string>
#include <string_view>

namespace jostle::commit {

/// Returns the commit that the program was built from: 12 hexadecimal digits, followed by " with
/// local changes" if files of the checkout were modified. Returns "unknown" for a build outside a
/// checkout.
std::string_view id();

/// Returns the text of `PROGRAM --version` for a program without network and recordings: version,
/// commit and compiler. One "name value" pair per line after the first.
std::string version_text(std::string_view program);

}  // namespace jostle::commit

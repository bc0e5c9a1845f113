#pragma once

#include <string>
#include <string_view>

namespace jostle::unicode {

/// Returns the text in Normalization Form C (Unicode Standard Annex 15): a letter and its accent
/// are one code point if Unicode has one. The result can have more bytes than the text. Text that
/// is not valid UTF-8 is returned unchanged.
std::string to_nfc(std::string_view text);

/// Returns the form that Unicode defines for caseless matching of identifiers (Unicode Standard,
/// D147): NFKC_Casefold(NFD(text)). It has no differences in case, in composition and in
/// compatible characters such as full-width letters, and no default-ignorable code points such as
/// zero-width joiners. Text that is not valid UTF-8 is returned unchanged.
std::string to_nfkc_casefold(std::string_view text);

}  // namespace jostle::unicode

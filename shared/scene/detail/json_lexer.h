#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jostle::scene::detail {

/// A location in a text, 1-based. Columns count bytes.
struct TextPlace {
  int line = 1, column = 1;
};

enum class TokenKind : std::uint8_t { End, Mark, Text, Number, Word, Bad };

/// One lexical element of a scene file.
struct Token {
  TokenKind kind = TokenKind::End;
  TextPlace place;
  std::string_view source;        // text of the token in the file, including quotes
  const char* problem = nullptr;  // description of the error, for Bad tokens

  bool is(char mark) const { return kind == TokenKind::Mark && source[0] == mark; }
};

/// A lexer that splits JSON with comments (// and /* */) into tokens. It is stricter than
/// FlatBuffers' own lexer, which accepts unquoted keys, hexadecimal numbers, nan, sin(1) and bytes
/// after a NUL. Numbers and strings must follow RFC 8259, and the text must be UTF-8 without NUL.
class JsonLexer {
 public:
  /// Starts at the beginning of `text`, after a byte order mark if there is one. `text` must
  /// outlive the lexer.
  explicit JsonLexer(std::string_view text);

  Token next();

 private:
  bool skip_space_and_comments(Token& bad);
  Token take(TokenKind kind, std::size_t length);
  Token bad(const char* problem, std::size_t offset) const;
  Token lex_text();
  Token lex_number();
  TextPlace place_of(std::size_t offset) const;

  std::string_view text_;
  std::size_t cursor_ = 0, line_start_ = 0;
  int line_ = 1;
};

/// Returns the value of a Text token as UTF-8, without quotes and with escapes resolved.
std::string unescaped(std::string_view source);

/// Returns `text` in a form for a one-line message: control characters and invalid UTF-8 become
/// "?", and the rest of a text longer than 40 bytes becomes "...".
std::string printable(std::string_view text);

/// Returns `text` with every comment replaced by spaces, so that locations stay the same. Requires
/// text without Bad tokens.
std::string without_comments(std::string_view text);

}  // namespace jostle::scene::detail

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jostle::scene::detail {

/// A place in a text, 1-based; columns count bytes.
struct TextPlace {
  int line = 1, column = 1;
};

enum class TokenKind : std::uint8_t { End, Mark, Text, Number, Word, Bad };

/// One lexical element of a scene file.
struct Token {
  TokenKind kind = TokenKind::End;
  TextPlace place;
  std::string_view source;        // as written, quotes included
  const char* problem = nullptr;  // of a Bad token: what is wrong with it

  bool is(char mark) const { return kind == TokenKind::Mark && source[0] == mark; }
};

/// Splits JSON with comments (// and /* */) into tokens. Stricter than FlatBuffers' own lexer,
/// which takes unquoted keys, hexadecimal numbers, nan, sin(1) and bytes after a NUL: numbers and
/// strings are those of RFC 8259, and the text must be UTF-8 without NUL.
class JsonLexer {
 public:
  /// `text` must outlive the lexer; a byte order mark at its start is skipped.
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

/// The value of a Text token: without quotes, escapes undone, as UTF-8.
std::string unescaped(std::string_view source);

/// Fit to stand in a one-line message: control characters and all but the first 40 bytes left out.
std::string printable(std::string_view text);

/// `text` with every comment turned into spaces, so that places stay as they are. Text that lexes
/// without a Bad token only.
std::string without_comments(std::string_view text);

}  // namespace jostle::scene::detail

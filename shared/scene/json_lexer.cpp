#include "shared/scene/detail/json_lexer.h"

#include <algorithm>
#include <optional>

namespace jostle::scene::detail {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

/// Returns the number of bytes of the UTF-8 sequence at the start of `text`, or 0 if it is invalid
/// (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&byte](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) > 0x9F) return 0;
    return continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) > 0x8F) return 0;
    return continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

/// Returns the value of the four hexadecimal digits at the start of `text`; null if there are none.
std::optional<std::uint32_t> four_hex_digits(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text.substr(0, 4)) {
    const int digit = is_digit(c)              ? c - '0'
                      : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                      : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                               : -1;
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<std::uint32_t>(digit);
  }
  return value;
}

struct Escape {
  std::size_t length = 0;  // including the backslash; 0: not a JSON escape
  std::uint32_t code_point = 0;
};

/// Reads the escape sequence at the start of `text`. Contract: the first character is a backslash.
Escape read_escape(std::string_view text) {
  if (text.size() < 2) return {};
  constexpr std::string_view names = "\"\\/bfnrt";
  constexpr std::string_view values = "\"\\/\b\f\n\r\t";
  if (const auto i = names.find(text[1]); i != std::string_view::npos)
    return {2, static_cast<std::uint32_t>(values[i])};
  if (text[1] != 'u') return {};
  const auto high = four_hex_digits(text.substr(2));
  if (!high || (*high >= 0xDC00 && *high <= 0xDFFF)) return {};
  if (*high < 0xD800 || *high > 0xDBFF) return {6, *high};
  if (text.substr(6, 2) != "\\u") return {};
  const auto low = four_hex_digits(text.substr(8));
  if (!low || *low < 0xDC00 || *low > 0xDFFF) return {};
  return {12, 0x10000 + ((*high & 0x3FFU) << 10) + (*low & 0x3FFU)};
}

void append_utf8(std::string& out, std::uint32_t code_point) {
  const auto add = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code_point < 0x80) {
    add(code_point);
  } else if (code_point < 0x800) {
    add(0xC0 | (code_point >> 6));
    add(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    add(0xE0 | (code_point >> 12));
    add(0x80 | ((code_point >> 6) & 0x3F));
    add(0x80 | (code_point & 0x3F));
  } else {
    add(0xF0 | (code_point >> 18));
    add(0x80 | ((code_point >> 12) & 0x3F));
    add(0x80 | ((code_point >> 6) & 0x3F));
    add(0x80 | (code_point & 0x3F));
  }
}

/// Returns the number of bytes of the comment at the start of `text`: 0 if there is none, npos if
/// it has no end.
std::size_t comment_length(std::string_view text) {
  if (text.substr(0, 2) == "//") return std::min(text.find_first_of("\n\r"), text.size());
  if (text.substr(0, 2) != "/*") return 0;
  const std::size_t end = text.find("*/", 2);
  return end == std::string_view::npos ? end : end + 2;
}

}  // namespace

JsonLexer::JsonLexer(std::string_view text) : text_(text) {
  if (text_.substr(0, byte_order_mark.size()) == byte_order_mark)
    cursor_ = line_start_ = byte_order_mark.size();
}

TextPlace JsonLexer::place_of(std::size_t offset) const {
  return {line_, static_cast<int>(offset - line_start_) + 1};
}

Token JsonLexer::bad(const char* problem, std::size_t offset) const {
  return {TokenKind::Bad, place_of(offset), {}, problem};
}

Token JsonLexer::take(TokenKind kind, std::size_t length) {
  const Token token{kind, place_of(cursor_), text_.substr(cursor_, length), nullptr};
  cursor_ += length;
  return token;
}

bool JsonLexer::skip_space_and_comments(Token& bad_token) {
  while (cursor_ < text_.size()) {
    const char c = text_[cursor_];
    std::size_t length = 1;
    if (c == '/') {
      length = comment_length(text_.substr(cursor_));
      if (length == std::string_view::npos) {
        bad_token = bad("comment without a closing */", cursor_);
        return false;
      }
      if (length == 0) return true;
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      return true;
    }
    for (const std::size_t end = cursor_ + length; cursor_ < end;) {
      const std::size_t bytes = utf8_length(text_.substr(cursor_));
      if (bytes == 0 || text_[cursor_] == '\0') {
        bad_token = bad(bytes == 0 ? "invalid UTF-8" : "zero byte", cursor_);
        return false;
      }
      if (text_[cursor_] == '\n') {
        ++line_;
        line_start_ = cursor_ + 1;
      }
      cursor_ += bytes;
    }
  }
  return true;
}

Token JsonLexer::lex_text() {
  std::size_t end = cursor_ + 1;
  while (end < text_.size() && text_[end] != '"') {
    const char c = text_[end];
    if (c == '\n' || c == '\r') return bad("text without a closing quote", cursor_);
    if (static_cast<unsigned char>(c) < 0x20) return bad("control character in text", end);
    const std::size_t length =
        c == '\\' ? read_escape(text_.substr(end)).length : utf8_length(text_.substr(end));
    if (length == 0) return bad(c == '\\' ? "unknown escape in text" : "invalid UTF-8", end);
    end += length;
  }
  if (end >= text_.size()) return bad("text without a closing quote", cursor_);
  return take(TokenKind::Text, end + 1 - cursor_);
}

/// Lexes a number of RFC 8259: -? int frac? exp?
Token JsonLexer::lex_number() {
  std::size_t end = cursor_;
  const auto at = [this](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  const auto skip_digits = [&] {
    const std::size_t start = end;
    while (is_digit(at(end)))
      ++end;
    return end > start;
  };
  if (at(end) == '-') ++end;
  const std::size_t first_digit = end;
  if (!skip_digits())
    return bad("invalid number: it must begin with a digit, or with - and a digit", cursor_);
  if (at(first_digit) == '0' && end > first_digit + 1)
    return bad("invalid number: leading zeros are not allowed", cursor_);
  if (at(end) == '.') {
    ++end;
    if (!skip_digits()) return bad("invalid number: digits must follow the decimal point", cursor_);
  }
  if (at(end) == 'e' || at(end) == 'E') {
    ++end;
    if (at(end) == '+' || at(end) == '-') ++end;
    if (!skip_digits()) return bad("invalid number: digits must follow the e", cursor_);
  }
  if (is_word_character(at(end)) || at(end) == '.') return bad("invalid number", cursor_);
  return take(TokenKind::Number, end - cursor_);
}

Token JsonLexer::next() {
  Token bad_token;
  if (!skip_space_and_comments(bad_token)) return bad_token;
  if (cursor_ == text_.size()) return take(TokenKind::End, 0);
  const char c = text_[cursor_];
  if (std::string_view("{}[]:,").find(c) != std::string_view::npos) return take(TokenKind::Mark, 1);
  if (c == '"') return lex_text();
  if (is_digit(c) || c == '-' || c == '+' || c == '.') return lex_number();
  if (!is_word_character(c)) {
    if (c == '\0') return bad("zero byte", cursor_);
    if (utf8_length(text_.substr(cursor_)) == 0) return bad("invalid UTF-8", cursor_);
    return bad("unknown character", cursor_);
  }
  std::size_t end = cursor_;
  while (end < text_.size() && is_word_character(text_[end]))
    ++end;
  return take(TokenKind::Word, end - cursor_);
}

std::string unescaped(std::string_view source) {
  std::string out;
  source = source.substr(1, source.size() - 2);
  while (!source.empty()) {
    if (source[0] != '\\') {
      const std::size_t run = std::min(source.find('\\'), source.size());
      out += source.substr(0, run);
      source.remove_prefix(run);
      continue;
    }
    const Escape escape = read_escape(source);
    append_utf8(out, escape.code_point);
    source.remove_prefix(escape.length);
  }
  return out;
}

std::string printable(std::string_view text) {
  constexpr std::size_t max_bytes = 40;
  std::string out;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
    if (out.size() + length > max_bytes) return out + "...";
    const auto first = static_cast<unsigned char>(text[0]);
    const bool is_control =
        first < 0x20 || first == 0x7F || text.substr(0, 2) == "\xC2\x85" || utf8_length(text) == 0;
    out += is_control ? std::string_view("?") : text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

std::string without_comments(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < out.size();) {
    if (out[i] == '"') {
      for (++i; out[i] != '"'; ++i) {
        if (out[i] == '\\') ++i;
      }
      ++i;
      continue;
    }
    const std::size_t length = comment_length(std::string_view(out).substr(i));
    for (const std::size_t end = i + length; i < end; ++i) {
      if (out[i] != '\n' && out[i] != '\r') out[i] = ' ';
    }
    if (length == 0) ++i;
  }
  return out;
}

}  // namespace jostle::scene::detail

#include "api/play/value.h"

#include "api/base/checks.h"

#include <algorithm>
#include <cstring>

namespace jostle::api {
namespace {

static_assert(JOSTLE_MAX_VALUES == state::max_shown_values);
static_assert(sizeof(jostle_value::name) > state::max_value_name_bytes);
static_assert(sizeof(jostle_value::text) > state::max_value_text_bytes);

constexpr auto first_kind = static_cast<int>(state::LabelKind::Number);
static_assert(static_cast<int>(state::LabelKind::Duration) == first_kind + JOSTLE_VALUE_DURATION);
static_assert(static_cast<int>(state::LabelKind::Text) == first_kind + JOSTLE_VALUE_TEXT);

/// Returns the length of a valid UTF-8 sequence without control characters at the start of `text`;
/// 0 if there is none.
std::size_t letter_bytes(const unsigned char* text, std::size_t left) {
  const unsigned char first = text[0];
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || bytes > left) return 0;
  std::uint32_t code = first & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((text[i] & 0xC0U) != 0x80U) return 0;
    code = (code << 6) | (text[i] & 0x3FU);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0xA0, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < smallest[bytes] || code > 0x10FFFF || is_surrogate ? 0 : bytes;
}

}  // namespace

std::string checked_text(const char* text, std::size_t capacity, std::size_t max_bytes,
                         const char* name) {
  const auto* const end = static_cast<const char*>(std::memchr(text, 0, capacity));
  const std::size_t length = end == nullptr ? capacity : static_cast<std::size_t>(end - text);
  if (end == nullptr || length > max_bytes) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s is longer than %zu bytes, or has no final zero", name,
           max_bytes);
  }
  for (std::size_t at = 0; at < length;) {
    const std::size_t bytes =
        letter_bytes(reinterpret_cast<const unsigned char*>(text) + at, length - at);
    if (bytes == 0) {
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
             "%s has an invalid byte at position %zu; accepted: UTF-8 without control characters",
             name, at);
    }
    at += bytes;
  }
  return {text, length};
}

state::Label checked_value(const jostle_value& value) {
  require_enumerator(value.kind, JOSTLE_VALUE_TEXT + 1, "value->kind");
  state::Label label;
  label.kind = static_cast<state::LabelKind>(first_kind + value.kind);
  label.name =
      checked_text(value.name, sizeof value.name, state::max_value_name_bytes, "value->name");
  if (label.name.empty())
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT, "value->name is empty; accepted: 1 to 24 bytes");
  if (value.kind == JOSTLE_VALUE_TEXT) {
    label.text =
        checked_text(value.text, sizeof value.text, state::max_value_text_bytes, "value->text");
  } else {
    require_finite(value.number, "value->number");
    label.value = value.number;
  }
  return label;
}

jostle_value to_c(const state::Label& label) {
  jostle_value value{};
  value.kind = static_cast<jostle_value_kind>(static_cast<int>(label.kind) - first_kind);
  value.number = label.value;
  label.name.copy(value.name, state::max_value_name_bytes);
  label.text.copy(value.text, state::max_value_text_bytes);
  return value;
}

}  // namespace jostle::api

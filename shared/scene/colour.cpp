#include "shared/scene/detail/colour.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::scene::detail {
namespace {

// A muted palette whose hues stay distinguishable under one light and on a grey floor.
constexpr std::array<std::string_view, 20> names = {
    "white", "silver", "grey", "slate", "black", "red",    "coral",  "orange", "amber", "yellow",
    "lime",  "green",  "teal", "cyan",  "blue",  "indigo", "purple", "pink",   "brown", "wood"};
constexpr std::array<state::Colour, names.size()> colours = {
    {{240, 240, 238}, {196, 200, 204}, {140, 144, 150}, {84, 94, 108},  {38, 40, 44},
     {206, 62, 56},   {238, 118, 96},  {232, 134, 46},  {242, 176, 52}, {246, 212, 84},
     {156, 196, 72},  {84, 156, 84},   {52, 150, 142},  {92, 190, 214}, {64, 118, 196},
     {82, 84, 170},   {138, 92, 170},  {226, 132, 170}, {124, 84, 58},  {188, 142, 94}}};

std::optional<std::uint8_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint8_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint8_t>(c - 'A' + 10);
  return std::nullopt;
}

std::optional<std::uint8_t> hex_byte(std::string_view two) {
  const auto high = hex_digit(two[0]), low = hex_digit(two[1]);
  if (!high || !low) return std::nullopt;
  return static_cast<std::uint8_t>(*high * 16 + *low);
}

}  // namespace

std::span<const std::string_view> colour_names() {
  return names;
}

std::optional<state::Colour> parse_colour(std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return colours[i];
  }
  if (text.size() != 7 || text[0] != '#') return std::nullopt;
  const auto red = hex_byte(text.substr(1, 2)), green = hex_byte(text.substr(3, 2)),
             blue = hex_byte(text.substr(5, 2));
  if (!red || !green || !blue) return std::nullopt;
  return state::Colour{*red, *green, *blue};
}

}  // namespace jostle::scene::detail

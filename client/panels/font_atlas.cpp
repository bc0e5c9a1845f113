#include "client/panels/font_atlas.h"

#include "shared/base/printable.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace jostle::panels {
namespace {

constexpr std::uint32_t last_of_latin_1 = 0xFF, replacement = 0xFFFD;

// Common font locations on Debian, Ubuntu and Fedora. The first that exists is the main font. If
// none exists, the main font is Dear ImGui's built-in font.
constexpr const char* main_fonts[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
};
// Fonts for characters that the main font lacks, the preferred ones first. Fonts of colour bitmaps
// are omitted, because Dear ImGui draws their characters as nothing.
constexpr const char* more_fonts[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansHebrew-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansBengali-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansTamil-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansSymbols-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansSymbols2-Regular.ttf",
    "/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf",
    "/usr/share/fonts/opentype/unifont/unifont.otf",
    "/usr/share/fonts/truetype/unifont/unifont.ttf",
};

bool is_font(const char* path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

/// Returns the code point of the first character of `text`, which occupies `bytes` bytes of UTF-8.
std::uint32_t code_of(std::string_view text, std::size_t bytes) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  std::uint32_t code = bytes == 1 ? byte(0) : byte(0) & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i)
    code = (code << 6) | (byte(i) & 0x3FU);
  return code;
}

}  // namespace

void FontAtlas::need(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = base::printable_bytes(text);
    const std::uint32_t code = bytes == 0 ? 0 : code_of(text, bytes);
    if (code > last_of_latin_1 && code <= IM_UNICODE_CODEPOINT_MAX &&
        needed_.size() < max_characters)
      is_stale_ |= needed_.insert(code).second;
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
}

void FontAtlas::build(float pixels) {
  is_stale_ = false;
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  fonts.Clear();
  ImFontGlyphRangesBuilder builder;
  builder.AddRanges(fonts.GetGlyphRangesDefault());
  builder.AddChar(static_cast<ImWchar>(replacement));
  for (const std::uint32_t code : needed_)
    builder.AddChar(static_cast<ImWchar>(code));
  ImVector<ImWchar> ranges;
  builder.BuildRanges(&ranges);
  ranges_.assign(ranges.begin(), ranges.end());
  const ImWchar* const list = ranges_.data();

  const auto* const main = std::find_if(std::begin(main_fonts), std::end(main_fonts), is_font);
  ImFontConfig built_in;
  built_in.SizePixels = pixels;
  if (main == std::end(main_fonts) || !fonts.AddFontFromFileTTF(*main, pixels, nullptr, list))
    fonts.AddFontDefault(&built_in);
  if (needed_.empty()) return;
  ImFontConfig more;
  more.MergeMode = true;  // adds only the characters that the fonts loaded before lack
  more.OversampleH = 1;   // a smaller texture
  // Dear ImGui scales a font so that ascent minus descent is the given size. Fonts of other scripts
  // have a larger ascent and descent. The factor makes letters of both fonts about equally large.
  constexpr float scale_of_others = 1.2f;
  for (const char* const path : more_fonts) {
    const bool is_same = std::strstr(path, "DejaVu") != nullptr;
    const float size = is_same ? pixels : std::round(pixels * scale_of_others);
    if (is_font(path)) fonts.AddFontFromFileTTF(path, size, &more, list);
  }
}

void need_glyphs(std::string_view text) {
  const bool is_ascii = std::all_of(text.begin(), text.end(),
                                    [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (is_ascii) return;
  if (auto* const atlas = static_cast<FontAtlas*>(ImGui::GetIO().UserData); atlas != nullptr)
    atlas->need(text);
}

const char* with_glyphs(const std::string& text) {
  need_glyphs(text);
  return text.c_str();
}

}  // namespace jostle::panels

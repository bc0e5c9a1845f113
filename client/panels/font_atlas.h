#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::panels {

/// The characters of the panels' font. The characters of Latin-1 are always loaded. Other
/// characters, for example in the names of players, are loaded from the installed fonts when a
/// panel first draws them. A character that no installed font has is drawn as U+FFFD or a question
/// mark. The same applies to characters beyond U+FFFF, unless Dear ImGui was built with
/// IMGUI_USE_WCHAR32.
class FontAtlas {
 public:
  /// Maximum number of characters beyond Latin-1. It limits the size of the texture, because other
  /// players choose their names.
  static constexpr std::size_t max_characters = 4'000;

  /// Requests that the next build() loads the characters of a text.
  void need(std::string_view text);
  /// Returns true if characters were requested that the last build() has not tried to load.
  bool is_stale() const { return is_stale_; }
  /// Builds the font with this height in pixels for the current Dear ImGui context.
  void build(float pixels);

 private:
  std::set<std::uint32_t> needed_;
  // character ranges of the font; Dear ImGui reads this list until the next build
  std::vector<ImWchar> ranges_;
  bool is_stale_ = false;
};

/// Requests the characters of a text that is about to be drawn in the current context. They are
/// visible from the next frame on.
void need_glyphs(std::string_view text);
/// Requests the characters of `text` like need_glyphs(). Returns `text` as the argument of a Dear
/// ImGui function.
const char* with_glyphs(const std::string& text);

}  // namespace jostle::panels

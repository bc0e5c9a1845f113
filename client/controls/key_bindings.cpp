#include "client/controls/key_bindings.h"

#include "shared/base/assert.h"

#include <bit>
#include <utility>

namespace jostle::controls {
namespace {

std::vector<KeyChord> default_keys(const ActionInfo& info) {
  std::vector<KeyChord> chords;
  for (const std::string_view name : info.keys) {
    if (name.empty()) continue;
    const auto chord = parse_chord(name, info.is_by_place);
    JOSTLE_ASSERT(chord.has_value());
    chords.push_back(*chord);
  }
  return chords;
}

}  // namespace

KeyBindings::KeyBindings() {
  for (const ActionInfo& info : all_actions())
    chords_[index_of(info.action)] = default_keys(info);
}

void KeyBindings::bind(UserAction action, std::vector<KeyChord> keys) {
  JOSTLE_ASSERT(keys.size() <= max_keys);
  chords_[index_of(action)] = std::move(keys);
}

bool KeyBindings::is_default(UserAction action) const {
  return chords_[index_of(action)] == default_keys(info_of(action));
}

std::optional<UserAction> KeyBindings::find(const SDL_Keysym& pressed, ActionGroup group) const {
  std::optional<UserAction> found;
  int best = -1;
  for (const ActionInfo& info : all_actions()) {
    if (info.group != group) continue;
    for (const KeyChord& chord : keys(info.action)) {
      if (!chord.matches(pressed)) continue;
      const int rank = 2 * std::popcount(chord.modifiers) + (info.is_by_place ? 0 : 1);
      if (rank <= best) continue;
      best = rank;
      found = info.action;
    }
  }
  return found;
}

std::vector<KeyCollision> KeyBindings::collisions() const {
  std::vector<KeyCollision> found;
  for (const ActionInfo& first : all_actions()) {
    for (const ActionInfo& second : all_actions()) {
      if (second.action <= first.action || second.group != first.group) continue;
      for (const KeyChord& one : keys(first.action))
        for (const KeyChord& other : keys(second.action))
          if (one.collides_with(other)) found.push_back({first.action, second.action, one});
    }
  }
  return found;
}

std::string KeyBindings::text(UserAction action) const {
  std::string text;
  for (const KeyChord& chord : keys(action))
    text += (text.empty() ? "" : " or ") + chord.printed();
  return text;
}

std::string KeyBindings::word(UserAction action) const {
  return keys(action).empty() ? std::string() : keys(action).front().printed();
}

}  // namespace jostle::controls

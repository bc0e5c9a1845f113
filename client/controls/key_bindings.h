#pragma once

#include "client/controls/key_chord.h"
#include "client/controls/user_actions.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::controls {

/// Two actions that are bound to the same key.
struct KeyCollision {
  UserAction first = UserAction::Forward, second = UserAction::Forward;
  KeyChord chord;
};

/// The key bindings: the defaults of the actions, changed by the user.
class KeyBindings {
 public:
  static constexpr std::size_t max_keys = 4;  // maximum number of keys per action

  KeyBindings();
  bool operator==(const KeyBindings&) const = default;

  std::span<const KeyChord> keys(UserAction action) const { return chords_[index_of(action)]; }
  /// Binds an action to at most max_keys keys; an empty list disables it.
  void bind(UserAction action, std::vector<KeyChord> keys);
  bool is_default(UserAction action) const;

  /// Returns the action of a pressed key in a group; nothing if no chord matches. If several chords
  /// match, the one with the most modifiers wins; among equals, a chord given by label wins over
  /// one given by position.
  std::optional<UserAction> find(const SDL_Keysym& pressed, ActionGroup group) const;
  /// Returns all collisions, in the order of the actions. Keys of different groups do not collide:
  /// while a recording is played, keys of group Recording replace those of group World
  /// intentionally.
  std::vector<KeyCollision> collisions() const;
  /// Returns the keys for display: "W or Up"; empty if there is none.
  std::string text(UserAction action) const;
  /// Returns the first key for display; empty if there is none.
  std::string word(UserAction action) const;

 private:
  std::array<std::vector<KeyChord>, user_action_count> chords_;
};

}  // namespace jostle::controls

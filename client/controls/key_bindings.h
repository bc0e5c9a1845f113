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

  /// Returns the action of a pressed key in a group. If several match, the one with most modifiers
  /// wins, and labels win over positions.
  std::optional<UserAction> find(const SDL_Keysym& pressed, ActionGroup group) const;
  /// Returns all collisions, in the order of the actions. Recording keys may intentionally hide
  /// others.
  std::vector<KeyCollision> collisions() const;
  /// Returns the keys for display: "W or Up"; empty if there is none.
  std::string text(UserAction action) const;
  /// Returns the first key for display; empty if there is none.
  std::string word(UserAction action) const;

 private:
  std::array<std::vector<KeyChord>, user_action_count> chords_;
};

}  // namespace jostle::controls

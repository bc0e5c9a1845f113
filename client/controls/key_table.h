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

/// Two actions that the same key would have to do.
struct KeyCollision {
  UserAction first = UserAction::Forward, second = UserAction::Forward;
  KeyChord chord;
};

/// Which keys do what: the actions' own to begin with, and what the user has made of them.
class KeyTable {
 public:
  static constexpr std::size_t max_keys = 4;  // of an action

  KeyTable();
  bool operator==(const KeyTable&) const = default;

  std::span<const KeyChord> keys(UserAction action) const { return chords_[index_of(action)]; }
  /// At most max_keys; none: the action is off.
  void bind(UserAction action, std::vector<KeyChord> keys);
  bool is_default(UserAction action) const;

  /// What the key that went down does there: of several, that with most modifiers, and what is
  /// printed on the key before where it is.
  std::optional<UserAction> find(const SDL_Keysym& pressed, ActionGroup group) const;
  /// All of them, in the order of the actions. A recording's keys hide others on purpose.
  std::vector<KeyCollision> collisions() const;
  /// For people: "W or Up"; empty where there is none.
  std::string words(UserAction action) const;
  /// The first of them alone.
  std::string word(UserAction action) const;

 private:
  std::array<std::vector<KeyChord>, user_action_count> chords_;
};

}  // namespace jostle::controls

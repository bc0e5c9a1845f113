#include "client/controls/key_bindings.h"

#include "client/controls/gamepad_bindings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace jostle::controls {
namespace {

using testing::IsEmpty;

SDL_Keysym pressed(SDL_Scancode place, SDL_Keycode key, std::uint16_t modifiers) {
  SDL_Keysym keysym{};
  keysym.scancode = place;
  keysym.sym = key;
  keysym.mod = modifiers;
  return keysym;
}

TEST(KeyBindings, HasNoCollisionsByDefault) {
  EXPECT_THAT(KeyBindings().collisions(), IsEmpty());
  EXPECT_THAT(GamepadBindings().collisions(), IsEmpty());
}

TEST(KeyBindings, HasUniqueActionNamesPerGroup) {
  std::set<std::pair<ActionGroup, std::string_view>> names;
  for (const ActionInfo& info : all_actions()) {
    EXPECT_TRUE(names.insert({info.group, info.name}).second) << info.name;
    EXPECT_FALSE(info.meaning.empty()) << info.name;
  }
}

// On a French keyboard, the key at the US position of W types Z, and the key at the US position of
// A types Q.
TEST(KeyBindings, BindsMovementByPositionAndOthersByLabel) {
  const KeyBindings keys;
  EXPECT_EQ(keys.find(pressed(SDL_SCANCODE_W, SDLK_z, 0), ActionGroup::World), UserAction::Forward);
  EXPECT_EQ(keys.find(pressed(SDL_SCANCODE_A, SDLK_q, 0), ActionGroup::World), UserAction::Left);
  EXPECT_EQ(keys.find(pressed(SDL_SCANCODE_SEMICOLON, SDLK_p, 0), ActionGroup::World),
            UserAction::Pause);
  // A label has priority over a position.
  EXPECT_EQ(keys.find(pressed(SDL_SCANCODE_W, SDLK_p, 0), ActionGroup::World), UserAction::Pause);
}

TEST(KeyBindings, IgnoresExtraModifiersAndPrefersTheMostSpecificChord) {
  const KeyBindings keys;
  const auto period = [&](std::uint16_t modifiers) {
    return keys.find(pressed(SDL_SCANCODE_PERIOD, SDLK_PERIOD, modifiers), ActionGroup::World);
  };
  EXPECT_EQ(period(0), UserAction::Step);
  EXPECT_EQ(period(KMOD_LCTRL), UserAction::Step);
  EXPECT_EQ(period(KMOD_RSHIFT), UserAction::StepFive);
  EXPECT_EQ(period(KMOD_LSHIFT | KMOD_LCTRL), UserAction::StepFive);
  EXPECT_EQ(keys.find(pressed(SDL_SCANCODE_W, SDLK_w, KMOD_LSHIFT), ActionGroup::World),
            UserAction::Forward);
}

TEST(KeyBindings, SeparatesTheKeysOfGroups) {
  const KeyBindings keys;
  const SDL_Keysym space = pressed(SDL_SCANCODE_SPACE, SDLK_SPACE, 0);
  EXPECT_EQ(keys.find(space, ActionGroup::World), UserAction::Jump);
  EXPECT_EQ(keys.find(space, ActionGroup::Recording), UserAction::ReplayPlay);
}

TEST(KeyBindings, FindsNewBindingsAndForgetsOldOnes) {
  KeyBindings keys;
  keys.bind(UserAction::Pause, {*parse_chord("F5", false)});
  keys.bind(UserAction::Quit, {});
  EXPECT_EQ(keys.find(pressed(SDL_SCANCODE_F5, SDLK_F5, 0), ActionGroup::World), UserAction::Pause);
  EXPECT_FALSE(keys.find(pressed(SDL_SCANCODE_P, SDLK_p, 0), ActionGroup::World));
  EXPECT_FALSE(keys.find(pressed(SDL_SCANCODE_ESCAPE, SDLK_ESCAPE, 0), ActionGroup::World));
  EXPECT_FALSE(keys.is_default(UserAction::Pause));
  EXPECT_TRUE(keys.is_default(UserAction::Jump));
}

TEST(KeyBindings, ReportsCollisionsBetweenPositionsAndLabels) {
  KeyBindings keys;
  keys.bind(UserAction::Reset, {*parse_chord("W", false)});
  const auto found = keys.collisions();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].first, UserAction::Forward);
  EXPECT_EQ(found[0].second, UserAction::Reset);
  keys.bind(UserAction::Reset, {*parse_chord("Ctrl+W", false)});
  EXPECT_THAT(keys.collisions(), IsEmpty());
}

TEST(KeyChord, RoundTripsNames) {
  for (const char* name :
       {"W", "Space", "Left", ".", "[", "F11", "Keypad +", "Shift+.", "Ctrl+Alt+A", "PageUp", "-"})
    for (const bool is_by_place : {false, true}) {
      const auto chord = parse_chord(name, is_by_place);
      ASSERT_TRUE(chord) << name;
      EXPECT_EQ(chord->name(), name);
      EXPECT_EQ(parse_chord(chord->name(), is_by_place), chord);
    }
  // Plus is also a key, although it has no position on a US keyboard.
  EXPECT_EQ(parse_chord("Ctrl++", false)->name(), "Ctrl++");
  EXPECT_EQ(parse_chord("shift+space", false)->name(), "Shift+Space");
  for (const char* name : {"", "Nope", "Shift+", "Ctrl+Alt+", "Hyper+A"})
    EXPECT_FALSE(parse_chord(name, false)) << name;
}

TEST(KeyChord, IsNotAModifierAlone) {
  EXPECT_FALSE(chord_of(pressed(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT, KMOD_LSHIFT), false));
  EXPECT_EQ(chord_of(pressed(SDL_SCANCODE_K, SDLK_k, KMOD_LSHIFT), false)->name(), "Shift+K");
  EXPECT_EQ(chord_of(pressed(SDL_SCANCODE_K, SDLK_t, 0), true)->name(), "K");
}

TEST(GamepadBindings, TreatsTriggersButNotSticksAsButtons) {
  for (const char* name : {"a", "leftshoulder", "dpup", "lefttrigger", "righttrigger"})
    EXPECT_EQ(parse_pad_input(name)->name(), name);
  for (const char* name : {"leftx", "righty", "", "fire"})
    EXPECT_FALSE(parse_pad_input(name)) << name;
  const GamepadBindings pad;
  EXPECT_EQ(pad.find(*parse_pad_input("righttrigger")), UserAction::Shoot);
  EXPECT_EQ(pad.text(UserAction::Hold), "left trigger");
}

}  // namespace
}  // namespace jostle::controls

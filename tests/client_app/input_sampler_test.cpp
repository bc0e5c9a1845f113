#include "client/controls/input_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace jostle::controls {
namespace {

using testing::ElementsAre;

SDL_Event key(SDL_EventType type, SDL_Scancode code, SDL_Keycode sym, std::uint16_t mod) {
  SDL_Event event{};
  event.type = type;
  event.key.keysym.scancode = code;
  event.key.keysym.sym = sym;
  event.key.keysym.mod = mod;
  return event;
}

SDL_Event button(SDL_EventType type, std::uint8_t which, int x, int y) {
  SDL_Event event{};
  event.type = type;
  event.button.button = which;
  event.button.x = x;
  event.button.y = y;
  return event;
}

SDL_Event motion(int x, int y, int dx, int dy) {
  SDL_Event event{};
  event.type = SDL_MOUSEMOTION;
  event.motion.x = x;
  event.motion.y = y;
  event.motion.xrel = dx;
  event.motion.yrel = dy;
  return event;
}

const SDL_Event w_down = key(SDL_KEYDOWN, SDL_SCANCODE_W, SDLK_w, 0);
const SDL_Event w_up = key(SDL_KEYUP, SDL_SCANCODE_W, SDLK_w, 0);

TEST(InputSampler, ReportsAHeldKeyUntilItIsReleased) {
  InputSampler sampler;
  sampler.handle(w_down);
  EXPECT_EQ(sampler.sample().forward, 1);
  EXPECT_EQ(sampler.sample().forward, 1);
  sampler.handle(w_up);
  EXPECT_EQ(sampler.sample().forward, 0);
}

TEST(InputSampler, ReportsATapBetweenTwoSamplesOnce) {
  InputSampler sampler;
  sampler.handle(w_down);
  sampler.handle(w_up);
  EXPECT_EQ(sampler.sample().forward, 1);
  EXPECT_EQ(sampler.sample().forward, 0);
}

TEST(InputSampler, NormalisesDiagonalMovement) {
  InputSampler sampler;
  sampler.handle(w_down);
  sampler.handle(key(SDL_KEYDOWN, SDL_SCANCODE_D, SDLK_d, 0));
  const UserInput input = sampler.sample();
  EXPECT_NEAR(input.forward * input.forward + input.right * input.right, 1, 1e-6);
  EXPECT_GT(input.right, 0);
}

TEST(InputSampler, InterpretsClicksByModifier) {
  InputSampler sampler;
  sampler.handle(button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 5, 6));
  sampler.handle(button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 5, 6));
  sampler.handle(key(SDL_KEYDOWN, SDL_SCANCODE_LSHIFT, SDLK_LSHIFT, KMOD_LSHIFT));
  sampler.handle(button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 7, 8));
  const UserInput input = sampler.sample();
  EXPECT_THAT(input.pushes, ElementsAre(render::ScreenPoint{5, 6}));
  EXPECT_THAT(input.shots, ElementsAre(render::ScreenPoint{7, 8}));
  EXPECT_TRUE(sampler.sample().shots.empty());
}

TEST(InputSampler, DragsUntilTheButtonIsReleased) {
  InputSampler sampler;
  sampler.handle(key(SDL_KEYDOWN, SDL_SCANCODE_LCTRL, SDLK_LCTRL, KMOD_LCTRL));
  sampler.handle(button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 1, 1));
  sampler.handle(key(SDL_KEYUP, SDL_SCANCODE_LCTRL, SDLK_LCTRL, 0));
  sampler.handle(motion(30, 40, 29, 39));
  const UserInput held = sampler.sample();
  EXPECT_TRUE(held.is_dragging);
  EXPECT_EQ(held.cursor, (render::ScreenPoint{30, 40}));
  EXPECT_EQ(held.turn_x, 0);
  sampler.handle(button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 30, 40));
  EXPECT_FALSE(sampler.sample().is_dragging);
}

TEST(InputSampler, AccumulatesTurnsOfRightAndAltDrags) {
  for (const bool is_alt : {false, true}) {
    SCOPED_TRACE(is_alt);
    InputSampler sampler;
    if (is_alt) sampler.handle(key(SDL_KEYDOWN, SDL_SCANCODE_LALT, SDLK_LALT, KMOD_LALT));
    const std::uint8_t which = is_alt ? SDL_BUTTON_LEFT : SDL_BUTTON_RIGHT;
    sampler.handle(button(SDL_MOUSEBUTTONDOWN, which, 0, 0));
    sampler.handle(motion(3, 1, 3, 1));
    sampler.handle(motion(5, 2, 2, 1));
    const UserInput input = sampler.sample();
    EXPECT_EQ(input.turn_x, 5);
    EXPECT_EQ(input.turn_y, 2);
    EXPECT_TRUE(input.pushes.empty());
    EXPECT_EQ(sampler.sample().turn_x, 0);
  }
}

TEST(InputSampler, ReleasesEverythingOnFocusLoss) {
  InputSampler sampler;
  sampler.handle(w_down);
  static_cast<void>(sampler.sample());
  SDL_Event event{};
  event.type = SDL_WINDOWEVENT;
  event.window.event = SDL_WINDOWEVENT_FOCUS_LOST;
  sampler.handle(event);
  EXPECT_EQ(sampler.sample().forward, 0);
}

TEST(InputSampler, ReportsCommandsOnceAndIgnoresKeyRepeat) {
  InputSampler sampler;
  SDL_Event p = key(SDL_KEYDOWN, SDL_SCANCODE_P, SDLK_p, 0);
  sampler.handle(p);
  p.key.repeat = 1;
  sampler.handle(p);
  sampler.handle(key(SDL_KEYDOWN, SDL_SCANCODE_PERIOD, SDLK_PERIOD, KMOD_RSHIFT));
  EXPECT_THAT(sampler.sample().commands, ElementsAre(Command::TogglePause, Command::StepFive));
  EXPECT_TRUE(sampler.sample().commands.empty());
}

TEST(InputSampler, AppliesNewBindingsAndReleasesHeldKeys) {
  InputSampler sampler;
  sampler.handle(w_down);
  ControlSettings settings;
  settings.keys.bind(UserAction::Forward, {*parse_chord("I", true), *parse_chord("Up", true)});
  settings.keys.bind(UserAction::Shoot, {*parse_chord("Return", false)});
  sampler.set(settings);
  EXPECT_EQ(sampler.sample().forward, 0);
  sampler.handle(w_down);
  EXPECT_EQ(sampler.sample().forward, 0);
  const SDL_Event up = key(SDL_KEYDOWN, SDL_SCANCODE_UP, SDLK_UP, 0);
  sampler.handle(key(SDL_KEYDOWN, SDL_SCANCODE_I, SDLK_i, 0));
  sampler.handle(up);
  sampler.handle(key(SDL_KEYUP, SDL_SCANCODE_I, SDLK_i, 0));
  EXPECT_EQ(sampler.sample().forward, 1);
  // The first sample may have reported the tap of I. Up is still held in the second sample.
  EXPECT_EQ(sampler.sample().forward, 1);
  sampler.handle(motion(8, 9, 0, 0));
  sampler.handle(key(SDL_KEYDOWN, SDL_SCANCODE_RETURN, SDLK_RETURN, 0));
  EXPECT_THAT(sampler.sample().shots, ElementsAre(render::ScreenPoint{8, 9}));
}

TEST(InputSampler, MapsBracketsAndLToSceneCommands) {
  InputSampler sampler;
  sampler.handle(key(SDL_KEYDOWN, SDL_SCANCODE_LEFTBRACKET, SDLK_LEFTBRACKET, 0));
  sampler.handle(key(SDL_KEYDOWN, SDL_SCANCODE_RIGHTBRACKET, SDLK_RIGHTBRACKET, 0));
  sampler.handle(key(SDL_KEYDOWN, SDL_SCANCODE_L, SDLK_l, 0));
  EXPECT_THAT(sampler.sample().commands,
              ElementsAre(Command::PreviousScene, Command::NextScene, Command::ToggleScenes));
}

}  // namespace
}  // namespace jostle::controls

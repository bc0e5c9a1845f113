#include "client/controls/gamepads.h"

#include "client/controls/input_sampler.h"
#include "client/controls/player_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::controls {
namespace {

using testing::ElementsAre;

constexpr std::int16_t full = 32'767;

SDL_Event axis(SDL_GameControllerAxis which, std::int16_t value) {
  SDL_Event event{};
  event.type = SDL_CONTROLLERAXISMOTION;
  event.caxis.axis = static_cast<std::uint8_t>(which);
  event.caxis.value = value;
  return event;
}
SDL_Event button(SDL_GameControllerButton which, bool is_down) {
  SDL_Event event{};
  event.type = is_down ? SDL_CONTROLLERBUTTONDOWN : SDL_CONTROLLERBUTTONUP;
  event.cbutton.button = static_cast<std::uint8_t>(which);
  return event;
}
SDL_Event mouse(int x, int y) {
  SDL_Event event{};
  event.type = SDL_MOUSEMOTION;
  event.motion.x = x;
  event.motion.y = y;
  return event;
}

/// Tests with a virtual gamepad of SDL.
class VirtualPad : public testing::Test {
 protected:
  void SetUp() override {
    // Deliver events although no window has the focus.
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    if (SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) != 0) GTEST_SKIP() << SDL_GetError();
    pump();
  }
  void TearDown() override {
    gamepads_ = {};
    if (device_ >= 0) SDL_JoystickDetachVirtual(device_);
    SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
  }

  bool plug_in() {
    device_ = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                        SDL_CONTROLLER_BUTTON_MAX, 0);
    return device_ >= 0 && SDL_IsGameController(device_) == SDL_TRUE;
  }
  void plug_out() {
    SDL_JoystickDetachVirtual(device_);
    device_ = -1;
  }
  /// Processes all pending events.
  void pump() {
    SDL_GameControllerUpdate();
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
      if (auto words = gamepads_.handle(event); !words.empty()) said_.push_back(words);
      sampler_.handle(event);
    }
  }

  int device_ = -1;
  Gamepads gamepads_;
  InputSampler sampler_;
  std::vector<std::string> said_;
};

TEST_F(VirtualPad, ConnectsPlaysAndDisconnects) {
  if (!plug_in()) GTEST_SKIP() << "this SDL has no virtual gamepads: " << SDL_GetError();
  EXPECT_FALSE(gamepads_.is_one_there());
  pump();
  ASSERT_TRUE(gamepads_.is_one_there());
  ASSERT_EQ(said_.size(), 1U);
  EXPECT_EQ(said_[0], "gamepad connected: " + gamepads_.name());

  SDL_Joystick* const joystick =
      SDL_JoystickFromInstanceID(SDL_JoystickGetDeviceInstanceID(device_));
  ASSERT_NE(joystick, nullptr);
  SDL_JoystickSetVirtualAxis(joystick, SDL_CONTROLLER_AXIS_LEFTY, -full);
  SDL_JoystickSetVirtualButton(joystick, SDL_CONTROLLER_BUTTON_A, 1);
  pump();
  const UserInput input = sampler_.sample();
  EXPECT_NEAR(input.forward, 1, 1e-3);
  EXPECT_TRUE(input.is_jump);
  EXPECT_TRUE(input.is_by_gamepad);

  plug_out();
  pump();
  EXPECT_FALSE(gamepads_.is_one_there());
  EXPECT_EQ(said_.size(), 2U);
  const UserInput after = sampler_.sample();
  EXPECT_EQ(after.forward, 0);
  EXPECT_FALSE(after.is_jump);
}

TEST(GamepadInput, AppliesARoundDeadZoneAndRescalesTheRest) {
  InputSampler sampler;
  ControlSettings settings;
  settings.dead_zone = 0.5f;
  sampler.set(settings);
  const auto tilted = [&](float x, float y) {
    sampler.handle(axis(SDL_CONTROLLER_AXIS_LEFTX, static_cast<std::int16_t>(x * full)));
    sampler.handle(axis(SDL_CONTROLLER_AXIS_LEFTY, static_cast<std::int16_t>(y * full)));
    return sampler.sample();
  };
  EXPECT_EQ(tilted(0.35f, 0.35f).right, 0);
  EXPECT_GT(tilted(0.4f, 0.4f).right, 0);  // each axis alone would be in the dead zone
  EXPECT_LT(tilted(0.51f, 0).right, 0.03f);
  EXPECT_NEAR(tilted(0.75f, 0).right, 0.5f, 0.01f);
  EXPECT_NEAR(tilted(1, 0).right, 1, 1e-3);
  const UserInput corner = tilted(1, -1);
  EXPECT_NEAR(corner.right * corner.right + corner.forward * corner.forward, 1, 1e-3);
}

TEST(GamepadInput, ShootsAndHoldsWithTriggersAtTheAimPoint) {
  InputSampler sampler;
  sampler.set_picture({1000, 500}, 1);
  sampler.handle(mouse(3, 4));
  sampler.handle(axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, full));
  // noise of the trigger, which must not shoot again
  sampler.handle(axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, full / 2 - 100));
  sampler.handle(axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, full));
  sampler.handle(axis(SDL_CONTROLLER_AXIS_TRIGGERLEFT, full));
  const UserInput input = sampler.sample();
  EXPECT_THAT(input.shots, ElementsAre(render::ScreenPoint{500, 190}));
  EXPECT_EQ(input.cursor, (render::ScreenPoint{500, 190}));
  EXPECT_TRUE(input.is_dragging);
  sampler.handle(axis(SDL_CONTROLLER_AXIS_TRIGGERLEFT, 0));
  EXPECT_FALSE(sampler.sample().is_dragging);
  // The mouse aims again as soon as it is moved.
  sampler.handle(mouse(7, 8));
  EXPECT_EQ(sampler.sample().cursor, (render::ScreenPoint{7, 8}));
}

TEST(GamepadInput, MapsButtonsToTheSameCommandsAsKeys) {
  InputSampler sampler;
  sampler.handle(button(SDL_CONTROLLER_BUTTON_START, true));
  sampler.handle(button(SDL_CONTROLLER_BUTTON_BACK, true));
  sampler.handle(button(SDL_CONTROLLER_BUTTON_X, true));
  const UserInput input = sampler.sample();
  EXPECT_THAT(input.commands, ElementsAre(Command::TogglePause, Command::StepOnce));
  EXPECT_EQ(input.pushes.size(), 1U);
}

TEST(GamepadInput, TurnsIndependentlyOfTheFrameRate) {
  render::CameraRig one, many;
  UserInput user;
  user.look_x = 1;
  move_camera(one, user, {100, 100}, 0.5f);
  for (int i = 0; i < 50; ++i)
    move_camera(many, user, {100, 100}, 0.01f);
  EXPECT_NE(one.view().forward, render::CameraRig().view().forward);
  EXPECT_NEAR(math::length(one.view().forward - many.view().forward), 0, 1e-4);
}

TEST(GamepadInput, AppliesSensitivityAndInversion) {
  InputSampler sampler;
  ControlSettings settings;
  settings.is_look_inverted = true;
  settings.mouse_sensitivity = 2;
  settings.stick_sensitivity = 0.5f;
  sampler.set(settings);
  SDL_Event press{};
  press.type = SDL_MOUSEBUTTONDOWN;
  press.button.button = SDL_BUTTON_RIGHT;
  sampler.handle(press);
  SDL_Event move = mouse(5, 5);
  move.motion.xrel = 3;
  move.motion.yrel = 4;
  sampler.handle(move);
  sampler.handle(axis(SDL_CONTROLLER_AXIS_RIGHTY, full));
  const UserInput input = sampler.sample();
  EXPECT_EQ(input.turn_x, 6);
  EXPECT_EQ(input.turn_y, -8);
  EXPECT_NEAR(input.look_y, -0.5f, 1e-3);
}

}  // namespace
}  // namespace jostle::controls

#pragma once

#include "shared/base/random.h"
#include "shared/state/ids.h"
#include "shared/state/input.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace jostle::load {

/// The behaviour of bots that play.
enum class InputMix : std::uint8_t {
  Idle,  // no input
  Move,  // walk around and jump at times
  Push,  // push single bodies, attract and repel nearby bodies, without walking
  Mix,   // Move and Push together
};
inline constexpr std::array<std::string_view, 4> input_mix_names{"idle", "move", "push", "mix"};
std::optional<InputMix> parse_input_mix(std::string_view name);

/// Generates random input for a bot according to its mix. The input changes every 11 to 60 client
/// ticks.
class InputGenerator {
 public:
  InputGenerator(InputMix mix, base::Random random) : mix_(mix), random_(random) {}

  /// Returns the new input if the input changes in this tick, otherwise null. Call it once per
  /// client tick. `pushable` lists the bodies that the bot may push; it may be empty.
  std::optional<state::PlayerInput> next(std::span<const state::BodyId> pushable);

 private:
  InputMix mix_;
  base::Random random_;
  std::uint32_t ticks_left_ = 0;
};

}  // namespace jostle::load

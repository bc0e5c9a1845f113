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

/// What bots that play do.
enum class InputMix : std::uint8_t {
  Idle,  // nothing
  Move,  // walk here and there, jump at times
  Push,  // stand, and push bodies: by name, and all that are near where the scene has a field
  Mix,   // both
};
inline constexpr std::array<std::string_view, 4> input_mix_names{"idle", "move", "push", "mix"};
std::optional<InputMix> parse_input_mix(std::string_view name);

/// A player that does by chance what its mix allows, and changes its mind a few times a second.
class Whims {
 public:
  Whims(InputMix mix, base::Random random) : mix_(mix), random_(random) {}

  /// Once per client tick; the new input when it changes its mind. `pushable`: bodies that it may
  /// push, as far as it knows any.
  std::optional<state::PlayerInput> next(std::span<const state::BodyId> pushable);

 private:
  InputMix mix_;
  base::Random random_;
  std::uint32_t ticks_left_ = 0;
};

}  // namespace jostle::load

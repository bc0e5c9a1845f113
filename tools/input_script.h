#pragma once

#include "shared/base/result.h"
#include "shared/state/command.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::tools {

/// The inputs of a run as a text file, with one event per line. "#" begins a comment.
///
///   TICK join PLAYER NAME
///   TICK leave PLAYER
///   TICK move PLAYER X Z             repeated until the next move; (X, Z) is limited to length 1
///   TICK buttons PLAYER BITS         repeated until the next buttons; 1 jump, 2 pull, 4 push
///   TICK push PLAYER BODY PX PY PZ IX IY IZ     impulse I (N·s) at point P in the body's frame
///   TICK shoot PLAYER X Y Z VX VY VZ            launches a ball from a point in the world, in m/s
///   TICK spawn PLAYER X Y Z VX VY VZ            launches a crate in the same way
///   TICK blast PLAYER X Y Z SPEED               pushes nearby bodies away, by up to SPEED m/s
///   TICK drag PLAYER BODY PX PY PZ TX TY TZ     pulls point P to world point T until release
///   TICK release PLAYER
///   TICK pause | resume | step N | rate PERCENT | reset | gravity 0|1
///
/// Ticks must not decrease. PLAYER counts from 1; BODY is an id as `jostle-view` shows it. Inputs
/// of a player that has not joined are ignored.
class InputScript {
 public:
  /// Parses the text. The error has the form "FILE:LINE: message".
  static base::Result<InputScript, std::string> parse(std::string_view text,
                                                      const std::string& file);

  /// Returns the tick of the last event, or 0 if there is none.
  std::uint32_t last_tick() const;

  /// Returns the commands of a tick. Call it for every tick in ascending order, because inputs are
  /// repeated from tick to tick.
  state::TickCommands next(state::Tick tick);

 private:
  struct Held {
    state::PlayerInput input;
    std::vector<state::Action> drags;
  };
  struct Event;
  std::map<std::uint32_t, std::vector<Event>> events_;
  std::map<state::PlayerId, Held> players_;

 public:
  InputScript();
  ~InputScript();
  InputScript(InputScript&&) noexcept;
  InputScript& operator=(InputScript&&) noexcept;
};

}  // namespace jostle::tools

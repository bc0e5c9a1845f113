#pragma once

#include "shared/base/result.h"
#include "shared/state/command.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::tools {

/// A run's inputs as a text file: a line per event, "#" begins a comment.
///
///   TICK join PLAYER NAME            TICK leave PLAYER
///   TICK move PLAYER X Z             held until the next move; each in [-1, 1], at most 1 long
///   TICK buttons PLAYER BITS         held; 1 jump, 2 pull, 4 push
///   TICK push PLAYER BODY PX PY PZ IX IY IZ     impulse (N·s) at a point of the body's frame
///   TICK shoot PLAYER X Y Z VX VY VZ            a ball from a point of the world, m/s
///   TICK spawn PLAYER X Y Z VX VY VZ            likewise a crate
///   TICK blast PLAYER X Y Z SPEED               what is near is driven away, m/s in the middle
///   TICK drag PLAYER BODY PX PY PZ TX TY TZ     held until release
///   TICK release PLAYER
///   TICK pause | resume | step N | rate PERCENT | reset | gravity 0|1
///
/// Ticks must not fall. PLAYER counts from 1; BODY is an id as `jostle-view` shows it.
class InputScript {
 public:
  /// The error is "FILE:LINE: what is wrong".
  static base::Result<InputScript, std::string> parse(std::string_view text,
                                                      const std::string& file);

  /// Of the last line; 0: none.
  std::uint32_t last_tick() const;

  /// The commands of a tick. Ticks must be asked for in order.
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

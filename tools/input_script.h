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
///   TICK join PLAYER NAME            TICK leave PLAYER
///   TICK move PLAYER X Z             held until the next move; each in [-1, 1], length at most 1
///   TICK buttons PLAYER BITS         held; 1 jump, 2 pull, 4 push
///   TICK push PLAYER BODY PX PY PZ IX IY IZ     impulse (N·s) at a point in the body's frame
///   TICK shoot PLAYER X Y Z VX VY VZ            launches a ball from a point in the world, m/s
///   TICK spawn PLAYER X Y Z VX VY VZ            the same with a crate
///   TICK blast PLAYER X Y Z SPEED               pushes bodies nearby away; m/s at the centre
///   TICK drag PLAYER BODY PX PY PZ TX TY TZ     held until release
///   TICK release PLAYER
///   TICK pause | resume | step N | rate PERCENT | reset | gravity 0|1
///
/// Ticks must not decrease. PLAYER counts from 1; BODY is an id as `jostle-view` shows it.
class InputScript {
 public:
  /// Parses the text. The error has the form "FILE:LINE: message".
  static base::Result<InputScript, std::string> parse(std::string_view text,
                                                      const std::string& file);

  /// Returns the tick of the last line, or 0 if the script has none.
  std::uint32_t last_tick() const;

  /// Returns the commands of a tick. Call it with ascending ticks.
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

#pragma once

#include "client/client.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::panels {

/// Content of the failure screen: why there is no connection and what to do.
struct FailureText {
  std::string title;  // summary of the failure
  std::string why;    // the details
  struct Advice {
    std::string text;
    std::string command{};  // command to type; may be empty
  };
  std::vector<Advice> advice;
};
/// Returns the content of the failure screen. `words` is Status::text, `server` is HOST:PORT.
FailureText explain(client::Failure failure, const std::string& words, const std::string& server);

/// Buttons of the failure screen.
enum class FailureChoice : std::uint8_t { None, TryAgain, OtherServer, Quit };

/// Draws the failure screen in the middle of the window. Returns the clicked button; None: no
/// button was clicked.
FailureChoice draw_failure_panel(const FailureText& text);

/// Draws the error in a previewed scene file at the lower edge of the window.
void draw_scene_error_panel(const std::string& words);

/// Draws, over the last frame, a notice that the connection was lost and is being re-established.
/// `words` is Status::text.
void draw_reconnecting_panel(const std::string& words, double seconds_silent);

}  // namespace jostle::panels

#pragma once

#include "client/client.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::panels {

/// Why there is no connection, as it is told in the middle of the window.
struct FailureText {
  std::string title;  // what happened
  std::string why;    // the details
  struct Advice {
    std::string words;
    std::string command{};  // to be typed; may be empty
  };
  std::vector<Advice> advice;
};
/// `server` as the user calls it; `words` are a Status's.
FailureText explain(client::Failure failure, const std::string& words, const std::string& server);

/// What the user wants to be done about it.
enum class FailureWish : std::uint8_t { None, TryAgain, OtherServer, Quit };

/// In the middle, with buttons; what was clicked.
FailureWish draw_failure_panel(const FailureText& text);

/// That a connection was lost and is being taken up again, over the picture that stays.
void draw_regaining_panel(const std::string& words, double seconds_silent);

}  // namespace jostle::panels

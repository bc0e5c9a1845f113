#pragma once

#include "client/client.h"
#include "client/panels/imgui_frame.h"
#include "shared/base/program_names.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jostle::panels {

/// Content of the failure screen: why there is no connection and what to do.
struct FailureText {
  std::string title;  // summary of the failure
  std::string why;    // details of the failure
  struct Advice {
    std::string text;
    std::string command{};  // command to type; may be empty
  };
  std::vector<Advice> advice;
};
/// Returns the content of the failure screen. `words` is Status::text, `server` is HOST:PORT.
FailureText explain(client::Failure failure, const std::string& words, const std::string& server,
                    const base::ProgramNames& names);
/// Returns the note of the start screen for a server that has not answered. `server` is HOST:PORT.
std::string no_answer_note(const std::string& server, const base::ProgramNames& names);
/// Returns the content of the failure screen for a host name that cannot be resolved. `words` is
/// the resolver's error.
FailureText explain_unknown_host(const std::string& words, const std::string& host,
                                 const base::ProgramNames& names);

/// Buttons of the failure screen.
enum class FailureChoice : std::uint8_t { None, TryAgain, OtherServer, Quit };

/// Returns the choice that a key of the failure screen makes; None: the key has no meaning there.
FailureChoice failure_choice_of(SDL_Keycode key);

/// Draws the failure screen in the middle of the window. Returns the clicked button; None: no
/// button was clicked.
FailureChoice draw_failure_panel(const FailureText& text);

/// The failure screen as the only content of a window, for failures before the connection.
class FailureScreen {
 public:
  /// Creates the screen. `window` must outlive the screen. Returns null if Dear ImGui cannot load
  /// OpenGL.
  static std::unique_ptr<FailureScreen> create(render::Window& window);

  void handle(const SDL_Event& event) { frame_->handle(event); }
  /// Draws the screen into the bound framebuffer. Returns the clicked button; None: no button was
  /// clicked.
  FailureChoice draw(const FailureText& text);

 private:
  explicit FailureScreen(std::unique_ptr<ImguiFrame> frame) : frame_(std::move(frame)) {}

  std::unique_ptr<ImguiFrame> frame_;
};

/// Error of a previewed scene file.
struct SceneError {
  std::string text{};
  bool is_missing = false;  // true: there is no file
  bool has_world = true;    // false: the file was never valid, so the world is an empty floor
};
std::string scene_error_title(const SceneError& error);
/// Returns what happens next: whether the world continues, and when the file is loaded again.
std::string scene_error_note(const SceneError& error);
/// Draws the error of a previewed scene file at the lower edge of the window.
void draw_scene_error_panel(const SceneError& error);

/// Draws, over the last frame, a notice that the connection was lost and is being re-established.
/// `words` is Status::text.
void draw_reconnecting_panel(const std::string& words, double seconds_silent);

}  // namespace jostle::panels

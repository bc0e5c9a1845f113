#pragma once

#include "client/panels/imgui_frame.h"
#include "client/panels/server_list.h"
#include "client/render/window.h"
#include "shared/base/program_names.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace jostle::panels {

/// Content of the start screen, apart from its text fields.
struct StartModel {
  const ServerList& list;
  std::string note;            // why the last attempt to join failed; empty: none
  bool has_token = false;      // a token was given on the command line or in the environment
  bool has_psk = false;        // a pre-shared key was given on the command line
  base::ProgramNames names{};  // commands to advise
  bool is_asking = true;       // a search on the local network is running
};

/// A server to join.
struct JoinRequest {
  std::string server;  // HOST[:PORT], as typed or listed
  std::string token;   // empty: none was typed
};

/// The start screen with the server list and a field for another server, drawn with Dear ImGui into
/// the bound framebuffer.
class StartScreen {
 public:
  /// Creates the screen. `window` must outlive the screen. Returns null if Dear ImGui cannot load
  /// OpenGL.
  static std::unique_ptr<StartScreen> create(render::Window& window);

  void handle(const SDL_Event& event) { frame_->handle(event); }
  /// Returns true if a text field is active.
  bool is_typing() const { return is_typing_; }
  void draw(const StartModel& model);

  /// Requests to join the selected server. If the server needs a token that is missing, asks for
  /// the token instead. If the server cannot be joined, shows the reason. Called for Enter.
  void join_selected(const StartModel& model);
  /// Sets the initial text of the server field.
  void set_server(const std::string& server);
  /// Shows the token field and gives it the focus.
  void ask_for_token() { is_token_asked_ = is_token_focus_due_ = true; }

  std::optional<JoinRequest> take_wish() { return std::exchange(wish_, std::nullopt); }
  /// Returns the line of the list clicked since the last call; null: none.
  std::optional<std::size_t> take_clicked() { return std::exchange(clicked_, std::nullopt); }
  bool wants_to_quit() const { return wants_to_quit_; }

 private:
  explicit StartScreen(std::unique_ptr<ImguiFrame> frame) : frame_(std::move(frame)) {}
  void draw_list(const StartModel& model, float height);
  void draw_lines(const StartModel& model, std::size_t begin, std::size_t end);
  void draw_fields(const StartModel& model);
  void draw_buttons(const StartModel& model);
  void join(const std::string& server, ServerLine::Access access, const StartModel& model);

  std::unique_ptr<ImguiFrame> frame_;
  std::array<char, 256> server_{};
  std::array<char, 1024> token_{};
  bool is_token_asked_ = false, is_token_focus_due_ = false, is_typing_ = false;
  std::string hint_;     // why the last request to join was not made; empty: none
  std::string pending_;  // the server that the token is for; empty: the selected server
  std::optional<std::size_t> clicked_, shown_selected_;
  std::optional<JoinRequest> wish_;
  bool wants_to_quit_ = false;
};

}  // namespace jostle::panels

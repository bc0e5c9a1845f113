#pragma once

#include "client/panels/imgui_frame.h"
#include "client/panels/server_list.h"
#include "client/render/window.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace jostle::panels {

/// What the start screen shows beside its list.
struct StartModel {
  const ServerList& list;
  std::string note;        // why nobody is joined, where it was tried
  bool has_token = false;  // of the command line, for whoever asks for one
  bool has_psk = false;    // the same, a shared key
  bool is_asking = true;   // servers of the local network are looked for
};

/// A server that is to be joined.
struct JoinWish {
  std::string server;  // HOST[:PORT], as it was typed or stands in the list
  std::string token;   // empty: none was typed
};

/// The screen that lists servers and takes the name of another one, drawn with Dear ImGui into the
/// bound frame.
class StartScreen {
 public:
  /// `window` must outlive it; nothing when Dear ImGui finds no OpenGL of its own.
  static std::unique_ptr<StartScreen> create(render::Window& window);

  void handle(const SDL_Event& event) { frame_->handle(event); }
  /// What is typed belongs to a field.
  bool is_typing() const { return is_typing_; }
  void draw(const StartModel& model);

  /// Joins what is selected, or asks for the token that it takes: what Enter does.
  void join_selected(const StartModel& model);
  /// What stands in the field for a server, to begin with.
  void set_server(const std::string& server);
  /// Asks for a token, and for nothing else.
  void ask_for_token() { is_token_asked_ = is_token_focus_due_ = true; }

  std::optional<JoinWish> take_wish() { return std::exchange(wish_, std::nullopt); }
  /// The line of the list that was clicked since the last call.
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
  std::string hint_;     // why Enter has joined nobody
  std::string pending_;  // the server that the token is for; empty: what is selected
  std::optional<std::size_t> clicked_, shown_selected_;
  std::optional<JoinWish> wish_;
  bool wants_to_quit_ = false;
};

}  // namespace jostle::panels

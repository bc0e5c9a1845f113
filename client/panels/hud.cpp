#include "client/panels/hud.h"

#include "client/controls/console_language.h"
#include "client/panels/font_atlas.h"
#include "client/panels/help_sheet.h"
#include "client/panels/statistics_panel.h"
#include "protocol/message_names.h"
#include "shared/base/program_names.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::panels {

namespace {

constexpr double sample_interval_s = 0.1;
constexpr float notice_height = 24;
constexpr float low_height = 480, narrow_width = 760;
/// Minimum width of the window to show other panels to the left and right of the help.
constexpr float room_beside_help = 1'130;
/// Minimum width of the window to show the status panel beside the settings.
constexpr float room_beside_settings = 900;
/// Width of the widest panel that is drawn beside the status panel.
constexpr float widest_panel = 345;
/// Upper bound of the console's height: a fraction of the window's height plus an offset in panel
/// units.
constexpr float console_share = 0.4f, console_rest = 48;
/// Time since the last packet after which the status panel reports the server's silence. A running
/// server sends many packets in this time.
constexpr double noticed_silence_s = 1.5;

const char* describe(render::CameraMode mode) {
  switch (mode) {
    case render::CameraMode::Orbit:
      return "orbit";
    case render::CameraMode::Follow:
      return "follow";
    case render::CameraMode::Fly:
      return "fly";
  }
  return "";
}

ImVec4 colour_of(client::ClientState state) {
  switch (state) {
    case client::ClientState::Playing:
      return good;
    case client::ClientState::Failed:
      return bad;
    default:
      return warning;
  }
}

/// Draws the aim point of a gamepad.
void draw_crosshair(render::ScreenPoint aim) {
  constexpr float inner = 4, outer = 11, thickness = 1.5f;
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const ImVec2 at{aim.x / scale.x, aim.y / scale.y};
  ImDrawList* const list = ImGui::GetBackgroundDrawList();
  for (const ImVec2 way : {ImVec2{1, 0}, ImVec2{-1, 0}, ImVec2{0, 1}, ImVec2{0, -1}})
    list->AddLine({at.x + way.x * inner, at.y + way.y * inner},
                  {at.x + way.x * outer, at.y + way.y * outer}, IM_COL32(255, 255, 255, 200),
                  thickness);
}

}  // namespace

std::optional<std::size_t> Hud::take_clicked_scene() {
  return std::exchange(clicked_scene_, std::nullopt);
}

std::unique_ptr<Hud> Hud::create(render::Window& window) {
  auto frame = ImguiFrame::create(window);
  if (!frame) return nullptr;
  return std::unique_ptr<Hud>(new Hud(std::move(frame)));
}

namespace {

std::vector<std::string> complete(std::string_view line, const HudModel& model) {
  std::vector<std::string> scenes;
  for (const protocol::SceneInfo& scene : model.scenes)
    scenes.push_back(scene.name);
  return controls::complete_console(line, scenes);
}

}  // namespace

void Hud::open(PanelSet panels) {
  is_help_shown_ = has(panels, Panel::Help);
  is_net_graph_shown_ = has(panels, Panel::NetGraph);
  is_choice_shown_ = has(panels, Panel::Draw);
  are_statistics_shown_ = has(panels, Panel::Statistics);
  if (browser_.is_shown() != has(panels, Panel::Bodies)) browser_.toggle();
  if (console_.is_shown() != has(panels, Panel::Console)) console_.toggle();
  are_figures_shown_ = has(panels, Panel::Hud);
  are_panels_shown_ = are_figures_shown_ || is_net_graph_shown_ || browser_.is_shown() ||
                      is_choice_shown_ || are_statistics_shown_;
}

PanelSet Hud::shown() const {
  PanelSet panels = 0;
  const auto add = [&panels](Panel panel, bool is_shown) {
    if (is_shown) panels |= bit_of(panel);
  };
  add(Panel::Help, is_help_shown_);
  add(Panel::Console, console_.is_shown());
  if (!are_panels_shown_) return panels;
  add(Panel::Hud, are_figures_shown_);
  add(Panel::NetGraph, is_net_graph_shown_);
  add(Panel::Bodies, browser_.is_shown());
  add(Panel::Draw, is_choice_shown_);
  add(Panel::Statistics, are_statistics_shown_);
  return panels;
}

void Hud::toggle(Panel panel) {
  open(shown() ^ bit_of(panel));
}

void Hud::select(state::BodyId body) {
  if (!has(shown(), Panel::Bodies)) toggle(Panel::Bodies);
  browser_.select(body);
}

bool Hud::close_one() {
  for (const Panel panel : {Panel::Help, Panel::Draw, Panel::Bodies, Panel::Statistics}) {
    if (!has(shown(), panel)) continue;
    toggle(panel);
    return true;
  }
  return false;
}

void Hud::toggle_panels() {
  are_panels_shown_ = !are_panels_shown_;
  are_figures_shown_ = are_panels_shown_;
}

/// Returns true if the net graph is at the lower right, because the window is too low for it below
/// the status panel. The window must be wide enough for both side by side.
bool Hud::is_net_graph_beside_status() const {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  return are_figures_shown_ && screen.y < status_size_.y + net_graph_size_.y + 3 * margin &&
         screen.x >= status_size_.x + net_graph_size_.x + 3 * margin;
}

/// Returns true if another open panel would cover a part of the status panel. The status panel is
/// then hidden.
bool Hud::is_status_covered(const HudModel& model) const {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool is_beside =
      is_choosing(model) || are_statistics_shown_ || browser_.is_shown() || is_choice_shown_;
  if (is_beside && screen.x < status_size_.x + widest_panel + 3 * margin) return true;
  if (model.settings.panel.is_shown() && screen.x < room_beside_settings) return true;
  float below = 0;
  if (is_net_graph_shown_ && !is_net_graph_beside_status()) below = net_graph_size_.y;
  if (console_.is_shown()) below = std::max(below, screen.y * console_share + console_rest);
  return below > 0 && screen.y < status_size_.y + below + 3 * margin;
}

void Hud::draw(const HudModel& model) {
  add_sample(model);
  browser_.find_again(model.bodies);
  const controls::ControlSettings& controls = model.settings.settings.controls;
  const controls::KeyBindings& keys = controls.keys;
  frame_->begin();
  const bool is_playing = model.status.state == client::ClientState::Playing;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool is_help_alone = is_help_shown_ && screen.x < room_beside_help;
  if (are_panels_shown_ && is_playing) {
    const bool is_low = screen.y < low_height, is_narrow = screen.x < narrow_width;
    const bool is_status_shown = are_figures_shown_ && !is_help_alone && !is_status_covered(model);
    if (are_figures_shown_) {
      draw_name_tags(model.bodies, model.view, model.status.player);
      if (is_status_shown) draw_status(model);
    }
    if (model.aim) draw_crosshair(*model.aim);
    float top = draw_labels_panel(are_figures_shown_ ? model.labels : state::Labels{});
    // The scene list is drawn in the same place as the statistics and the body list.
    if (are_statistics_shown_ && !is_choosing(model) && !is_help_alone)
      top = draw_statistics_panel(model.statistics, top, controls.keys);
    // Small windows fit one panel at the left and one at the right, or the help.
    const bool is_right_taken = is_choosing(model) || are_statistics_shown_ || browser_.is_shown();
    if (is_choice_shown_ && model.choice != nullptr && !is_help_alone &&
        !(is_low && is_help_shown_) && !(is_narrow && is_right_taken))
      draw_choice_panel(*model.choice, model.debug_draw,
                        {is_status_shown ? status_size_.x + 2 * margin : margin, margin}, 0,
                        controls.keys);
    if (is_net_graph_shown_ && !is_help_alone &&
        !(is_low && (is_choice_shown_ || is_help_shown_)) && !(is_narrow && is_right_taken))
      draw_net_graph(model);
    if (browser_.is_shown() && !is_choosing(model) && !is_help_alone &&
        !(is_low && are_statistics_shown_))
      browser_.draw(model.bodies, {model.report, {}}, top, 0, model.shown_seconds, keys);
  }
  if (model.failure != nullptr) {
    if (const auto wish = draw_failure_panel(*model.failure); wish != FailureChoice::None)
      failure_choice_ = wish;
  } else if (model.status.is_reconnecting) {
    draw_reconnecting_panel(model.status.text, model.seconds_silent);
  } else if (!is_playing) {
    draw_message(model);
  }
  if (is_playing && !is_help_alone && is_choosing(model)) {
    const auto clicked = scene_panel_.draw(*model.chooser, model.scenes, model.world.scene_name,
                                           model.picture_of_scene);
    if (clicked) clicked_scene_ = clicked;
  } else {
    scene_panel_.note_hidden();
  }
  if (model.scene_error != nullptr) draw_scene_error_panel(*model.scene_error);
  if (is_help_shown_)
    draw_help_sheet(
        play_help(controls, model.settings.facts.gamepad),
        ("* needs an operator token, or " + base::program_names().server + " --sandbox").c_str());
  model.settings.panel.draw(model.settings.settings, model.settings.facts);
  // The console is drawn last, so that it knows whether another panel is in use.
  if (console_.is_shown())
    console_.draw([&](std::string_view line) { return complete(line, model); });
  // An open console shows the messages itself.
  if (!console_.is_shown()) notice_.draw(model.seconds, notice_height);
  frame_->end();
}

void Hud::add_sample(const HudModel& model) {
  if (model.seconds < next_sample_at_s_) return;
  next_sample_at_s_ = model.seconds + sample_interval_s;
  const client::Metrics& metrics = model.metrics;
  history_[next_sample_] = {
      static_cast<float>(metrics.bytes_per_second_down * 1e-3),
      static_cast<float>(metrics.bytes_per_second_up * 1e-3),
      static_cast<float>(metrics.round_trip_ms),
      metrics.trouble == client::LinkTrouble::NoData ? 1.0f : static_cast<float>(metrics.loss)};
  next_sample_ = (next_sample_ + 1) % history_size;
}

namespace {

void draw_prediction(const client::PredictionMetrics& figures) {
  if (figures.is_running) {
    row("prediction", "%.0f ticks ahead, %.1f mm error", figures.ticks_ahead,
        figures.error_m * 1e3);
  } else if (!figures.text.empty()) {
    row("prediction", figures.text.c_str());
  }
}

/// Returns e.g. "42 ms, confirmed after 250 ms": the times from a key press until its effect is
/// visible, and until the server's result is visible. The second one is shown only while prediction
/// runs. One frame time is added to the client's latencies, because the effect must still be drawn.
std::string latency_words(const HudModel& model) {
  const double frame_ms = 1e3 / std::max(model.frames_per_second, 1.0);
  const auto text_of = [&](double latency_ms) {
    return std::to_string(std::lround(latency_ms + frame_ms)) + " ms";
  };
  const std::string words = text_of(model.metrics.input_latency_ms);
  if (!model.metrics.prediction.is_running) return words;
  return words + ", confirmed after " + text_of(model.metrics.input_confirmation_ms);
}

void draw_input_latency(const HudModel& model) {
  if (model.metrics.input_latency_ms > 0) row("input latency", latency_words(model).c_str());
}

void draw_lockstep(const client::LockstepMetrics& figures) {
  if (!figures.is_running || figures.has_desynced) return;
  row("lockstep", "%llu hashes sent, none differed",
      static_cast<unsigned long long>(figures.hashes));
}

/// Shows the description of a desync with the server; nothing if there was none.
void draw_parting(const client::LockstepMetrics& figures) {
  if (!figures.has_desynced) return;
  ImGui::TextColored(bad, "lockstep: desync with the server");
  // One line per part of the sentence, because wrapping could split its numbers.
  std::string_view rest = figures.text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(", "), rest.find(": "));
    ImGui::Text("%.*s", static_cast<int>(std::min(end, rest.size())), rest.data());
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
  }
}

}  // namespace

namespace {

/// Returns the simulation's states that are not normal, e.g. "paused, 25 % speed, gravity off";
/// empty if there is none.
std::string time_words(const HudModel& model) {
  std::string words = model.is_paused ? "paused" : "";
  const auto add = [&words](const std::string& more) {
    words += (words.empty() ? "" : ", ") + more;
  };
  if (model.rate_percent != 100) add(std::to_string(model.rate_percent) + " % speed");
  if (model.is_gravity_off) add("gravity off");
  return words;
}

}  // namespace

void Hud::draw_status(const HudModel& model) {
  const client::Metrics& metrics = model.metrics;
  ImGui::SetNextWindowPos({12, 12});
  ImGui::Begin("status", nullptr, panel_flags);
  ImGui::TextUnformatted(with_glyphs(model.world.scene_name));
  ImGui::SameLine();
  if (model.seconds_silent >= noticed_silence_s)
    ImGui::TextColored(bad, "no data for %.0f s", model.seconds_silent);
  else if (metrics.trouble != client::LinkTrouble::None)
    ImGui::TextColored(bad, "%s", std::string(client::describe(metrics.trouble)).c_str());
  else
    ImGui::TextColored(good, "%s", model.status.player.is_null() ? "spectating" : "playing");
  if (!model.bad_network.empty()) {
    ImGui::TextColored(warning, "SIMULATED NETWORK");
    ImGui::TextColored(warning, "%s", std::string(model.bad_network).c_str());
  }
  if (const std::string words = time_words(model); !words.empty())
    ImGui::TextColored(warning, "%s", words.c_str());
  ImGui::Spacing();
  const bool is_roomy = ImGui::GetIO().DisplaySize.y >= roomy_height;
  if (ImGui::BeginTable("figures", 2, ImGuiTableFlags_SizingFixedFit)) {
    const auto awake =
        std::count_if(model.bodies.begin(), model.bodies.end(), [](const client::ShownBody& body) {
          return body.is_awake && body.info->motion != state::MotionType::Static;
        });
    row("tick", "%u", metrics.newest_tick.number);
    row("bodies", "%zu, %td awake", model.bodies.size(), awake);
    if (model.particles > 0) row("particles", "%zu shown", model.particles);
    row("RTT", "%.1f ms", metrics.round_trip_ms);
    if (metrics.trouble == client::LinkTrouble::NoData)
      row("packet loss", "no data");
    else
      row("packet loss", "%.1f %%", metrics.loss * 100);
    row("down, up", "%.1f, %.1f kB/s", metrics.bytes_per_second_down * 1e-3,
        metrics.bytes_per_second_up * 1e-3);
    if (is_roomy) {
      row("interp. delay", "%.0f ms", metrics.interpolation_delay_ms);
      draw_input_latency(model);
      row("snapshot age", "%.0f ms", metrics.snapshot_age_ms);
    }
    if (is_roomy && metrics.update_interval_ms > 0)
      row("body updates", "every %.0f ms", metrics.update_interval_ms);
    draw_prediction(metrics.prediction);
    draw_lockstep(metrics.lockstep);
    row("frame rate", "%.0f fps, %s", model.frames_per_second, describe(model.camera_mode));
    ImGui::EndTable();
  }
  draw_parting(metrics.lockstep);
  ImGui::Spacing();
  draw_help_hint(model.settings.settings.controls.keys);
  status_size_ = {ImGui::GetWindowWidth(), ImGui::GetWindowHeight()};
  ImGui::End();
}

namespace {

/// Draws the bytes of the last second by message type, both directions side by side.
void draw_ledger(const client::Metrics& metrics) {
  if (!ImGui::BeginTable("ledger", 3, ImGuiTableFlags_SizingFixedFit)) return;
  const auto bytes_of = [](const std::vector<net::TrafficLine>& lines, const std::string& name) {
    const auto line = std::find_if(lines.begin(), lines.end(),
                                   [&](const net::TrafficLine& l) { return l.name == name; });
    return line == lines.end() ? 0.0 : static_cast<double>(line->bytes);
  };
  const auto draw_line = [&](const std::string& name) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(dim, "%s", std::string(protocol::name_of_message(name)).c_str());
    for (const auto* lines : {&metrics.wire_down, &metrics.wire_up}) {
      ImGui::TableNextColumn();
      const double bytes = bytes_of(*lines, name);
      if (bytes > 0) ImGui::Text("%7.2f kB/s", bytes * 1e-3);
    }
  };
  // First the messages of either direction, then the protocol layers around them.
  for (const bool is_message : {true, false}) {
    for (const net::TrafficLine& line : metrics.wire_down)
      if ((line.messages > 0) == is_message) draw_line(line.name);
    for (const net::TrafficLine& line : metrics.wire_up) {
      const bool is_both = bytes_of(metrics.wire_down, line.name) > 0;
      if ((line.messages > 0) == is_message && !is_both) draw_line(line.name);
    }
  }
  ImGui::EndTable();
}

}  // namespace

void Hud::draw_net_graph(const HudModel& model) {
  constexpr float width = 354, height = 72;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool is_beside = is_net_graph_beside_status();
  ImGui::SetNextWindowPos({is_beside ? screen.x - margin : margin, screen.y - margin},
                          ImGuiCond_Always, {is_beside ? 1.0f : 0.0f, 1});
  ImGui::Begin("net", nullptr, panel_flags);
  float peak_kilobytes = 4, peak_ms = 20;
  for (const Sample& sample : history_) {
    peak_kilobytes = std::max(peak_kilobytes, sample.kilobytes_down + sample.kilobytes_up);
    peak_ms = std::max(peak_ms, sample.round_trip_ms);
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float bar = width / static_cast<float>(history_size);
  const float floor_y = origin.y + height;
  ImVec2 last_point{origin.x, floor_y};
  for (std::size_t i = 0; i < history_size; ++i) {
    const Sample& sample = history_[(next_sample_ + i) % history_size];
    const float x = origin.x + bar * static_cast<float>(i);
    const float down = sample.kilobytes_down / peak_kilobytes * height;
    const float up = sample.kilobytes_up / peak_kilobytes * height;
    list->AddRectFilled({x, floor_y - down}, {x + bar, floor_y}, IM_COL32(72, 150, 220, 220));
    list->AddRectFilled({x, floor_y - down - up}, {x + bar, floor_y - down},
                        IM_COL32(240, 170, 70, 220));
    if (sample.loss > 0) {
      list->AddRectFilled({x, origin.y}, {x + bar, origin.y + 4 + sample.loss * height},
                          IM_COL32(255, 90, 80, 230));
    }
    const ImVec2 point{x + bar * 0.5f, floor_y - sample.round_trip_ms / peak_ms * height};
    if (i > 0) list->AddLine(last_point, point, IM_COL32(235, 240, 245, 255), 1.5f);
    last_point = point;
  }
  ImGui::Dummy({width, height});
  ImGui::TextColored({0.45f, 0.72f, 1, 1}, "down");
  ImGui::SameLine();
  ImGui::TextColored({1, 0.74f, 0.38f, 1}, "up");
  ImGui::SameLine();
  ImGui::Text("max %.0f kB/s", static_cast<double>(peak_kilobytes));
  ImGui::SameLine();
  ImGui::TextColored(bad, "packet loss");
  ImGui::SameLine();
  ImGui::TextColored(dim, " line: RTT, max %.0f ms", static_cast<double>(peak_ms));
  ImGui::TextColored(dim, "clock error ±%.1f ms, %llu messages rejected",
                     model.metrics.clock_error_ms,
                     static_cast<unsigned long long>(model.metrics.parts_refused));
  ImGui::TextColored(dim, "snapshot age %.0f ms, interpolation delay %.0f ms",
                     model.metrics.snapshot_age_ms, model.metrics.interpolation_delay_ms);
  ImGui::TextColored(dim, "jitter buffer %.0f ms, inputs %.1f ticks early",
                     model.metrics.jitter_buffer_ms, model.metrics.input_margin_ticks);
  if (model.metrics.input_latency_ms > 0)
    ImGui::TextColored(dim, "input latency %s", latency_words(model).c_str());
  if (model.statistics != nullptr) {
    ImGui::TextColored(dim, "server tick %.2f ms, max %.2f ms",
                       static_cast<double>(model.statistics->tick_ms),
                       static_cast<double>(model.statistics->longest_tick_ms));
  }
  if (screen.y >= roomy_height) draw_ledger(model.metrics);
  net_graph_size_ = {ImGui::GetWindowWidth(), ImGui::GetWindowHeight()};
  ImGui::End();
}

void Hud::draw_message(const HudModel& model) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x * 0.5f, screen.y * 0.45f}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::Begin("message", nullptr, panel_flags);
  const int dots = static_cast<int>(model.seconds * 2) % 4;
  ImGui::TextColored(colour_of(model.status.state), "%s",
                     model.status.state == client::ClientState::Failed ? "Not connected"
                     : model.status.state == client::ClientState::Joining
                         ? "Joining"
                         : "Connecting to the server");
  if (model.status.state != client::ClientState::Failed) {
    ImGui::SameLine(0, 0);
    ImGui::TextColored(warning, "%.*s", dots, "...");
  }
  ImGui::PushTextWrapPos(std::min(560.0f, screen.x * 0.8f));
  ImGui::TextUnformatted(with_glyphs(model.status.text));
  ImGui::PopTextWrapPos();
  ImGui::End();
}

}  // namespace jostle::panels

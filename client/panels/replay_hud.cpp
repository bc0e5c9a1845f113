#include "client/panels/replay_hud.h"

#include "client/panels/help_sheet.h"
#include "client/render/shown_bodies.h"
#include "shared/base/counted.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace jostle::panels {
namespace {

using replay::ReplayPlayer;

constexpr float track_height = 26, replay_notice_height = 110, bar_height = 90;
constexpr ImU32 track_colour = IM_COL32(44, 52, 64, 255),
                played_colour = IM_COL32(72, 150, 220, 255),
                keyframe_colour = IM_COL32(150, 162, 178, 255),
                differing_colour = IM_COL32(255, 92, 205, 255),
                diverged_colour = IM_COL32(255, 96, 80, 255),
                fault_colour = IM_COL32(255, 204, 92, 255),
                cursor_colour = IM_COL32(245, 248, 250, 255);

constexpr const char* help_note = "The picture always shows the state after a whole tick.";

std::string time_of(std::int64_t ticks, int hz) {
  const double seconds = static_cast<double>(ticks) / hz;
  const int minutes = static_cast<int>(seconds / 60);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%d:%06.3f", minutes, seconds - 60.0 * minutes);
  return text.data();
}

std::string rate_words(double rate) {
  std::array<char, 32> text{};
  if (rate < 1) {
    std::snprintf(text.data(), text.size(), "1/%.0f speed", 1 / rate);
  } else {
    std::snprintf(text.data(), text.size(), "%.0fx speed", rate);
  }
  return text.data();
}

std::string body_words(const client::ShownBody* body, state::BodyId id) {
  const std::string number = std::to_string(id.value);
  return body == nullptr || body->info->name.empty() ? number : number + " " + body->info->name;
}

/// Conversion between ticks and positions on the time line.
class Track {
 public:
  Track(const ReplayPlayer& player, ImVec2 origin, float width)
      : first_(player.first()), last_(player.last()), origin_(origin), width_(width) {}

  float x_of(state::Tick tick) const {
    const auto count = static_cast<float>(std::max<std::int64_t>(last_ - first_, 1));
    return origin_.x + width_ * static_cast<float>(tick - first_) / count;
  }
  state::Tick tick_at(float x) const {
    const float share = std::clamp((x - origin_.x) / width_, 0.0f, 1.0f);
    return first_ + static_cast<std::uint32_t>(static_cast<float>(last_ - first_) * share + 0.5f);
  }
  void fill(state::Tick from, state::Tick to, float top, float bottom, ImU32 colour) const {
    constexpr float least_width = 2;
    const float left = x_of(from), right = std::max(x_of(to), left + least_width);
    ImGui::GetWindowDrawList()->AddRectFilled({left, origin_.y + top}, {right, origin_.y + bottom},
                                              colour);
  }

 private:
  state::Tick first_, last_;
  ImVec2 origin_;
  float width_;
};

void draw_marks(ReplayPlayer& player, const Track& track) {
  track.fill(player.first(), player.last(), 8, 18, track_colour);
  track.fill(player.first(), player.tick(), 8, 18, played_colour);
  for (const state::Tick tick : player.faults())
    track.fill(tick, tick, 7, 20, fault_colour);
  for (const state::Tick tick : player.keyframes())
    track.fill(tick, tick, 20, 26, keyframe_colour);
  for (const record::TickRange& range : player.differing())
    track.fill(range.first, range.last, 1, 6, differing_colour);
  for (const record::TickRange& range : player.diverged())
    track.fill(range.first, range.last, 10, 16, diverged_colour);
  track.fill(player.wanted(), player.wanted(), 3, 23, cursor_colour);
}

constexpr float rates_width = 110, tick_field_width = 90;

/// Continues on the same line if an item of `item_width` fits into the panel's `width`. Otherwise
/// starts a new line.
void flow(float item_width, float width) {
  ImGui::SameLine(0, 14);
  const float begin = ImGui::GetCursorPosX() - ImGui::GetStyle().WindowPadding.x;
  if (begin + item_width > width) ImGui::NewLine();
}

/// Continues on the same line if a text fits, with or without a button around it.
void flow(const char* words, float width) {
  flow(ImGui::CalcTextSize(words).x + 2 * ImGui::GetStyle().FramePadding.x, width);
}

void draw_legend(ReplayPlayer& player, float width) {
  const auto entry = [&](ImU32 colour, const char* words) {
    flow(words, width);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(words);
    ImGui::PopStyleColor();
  };
  entry(keyframe_colour, "keyframes");
  if (!player.differing().empty()) entry(differing_colour, "recordings differ");
  if (!player.diverged().empty()) entry(diverged_colour, "replay differs");
  if (!player.faults().empty()) entry(fault_colour, "injected fault");
}

BodyFacts facts_of(ReplayPlayer& player, state::BodyId body) {
  BodyFacts facts{player.report(body), BodyMotion{}};
  if (const auto velocity = player.velocity(body))
    facts.motion = {math::length(velocity->linear), math::length(velocity->angular)};
  return facts;
}

}  // namespace

std::unique_ptr<ReplayHud> ReplayHud::create(render::Window& window) {
  auto frame = ImguiFrame::create(window);
  if (!frame) return nullptr;
  return std::unique_ptr<ReplayHud>(new ReplayHud(std::move(frame)));
}

void ReplayHud::open(PanelSet panels) {
  is_help_shown_ = has(panels, Panel::Help);
  is_draw_panel_shown_ = has(panels, Panel::Draw);
  if (browser_.is_shown() != has(panels, Panel::Bodies)) browser_.toggle();
  are_figures_shown_ = has(panels, Panel::Hud);
  are_panels_shown_ = are_figures_shown_ || is_draw_panel_shown_ || browser_.is_shown();
}

PanelSet ReplayHud::shown() const {
  PanelSet panels = is_help_shown_ ? bit_of(Panel::Help) : PanelSet{0};
  if (!are_panels_shown_) return panels;
  if (are_figures_shown_) panels |= bit_of(Panel::Hud);
  if (browser_.is_shown()) panels |= bit_of(Panel::Bodies);
  if (is_draw_panel_shown_) panels |= bit_of(Panel::Draw);
  return panels;
}

void ReplayHud::toggle(Panel panel) {
  if (panel == Panel::Help || panel == Panel::Draw || panel == Panel::Bodies)
    open(shown() ^ bit_of(panel));
}

bool ReplayHud::close_one() {
  for (const Panel panel : {Panel::Help, Panel::Draw, Panel::Bodies}) {
    if (!has(shown(), panel)) continue;
    toggle(panel);
    return true;
  }
  return false;
}

void ReplayHud::toggle_panels() {
  are_panels_shown_ = !are_panels_shown_;
  are_figures_shown_ = are_panels_shown_;
}

void ReplayHud::draw(const ReplayHudModel& model) {
  const controls::ControlSettings& controls = model.settings.settings.controls;
  const controls::KeyBindings& keys = controls.keys;
  frame_->begin();
  browser_.find_again(model.player.scene().bodies);
  if (are_panels_shown_) {
    const replay::TickScene& scene = model.player.scene();
    if (are_figures_shown_) {
      draw_name_tags(scene.bodies, model.view, {});
      draw_status(model);
      draw_bar(model);
    }
    const float top = draw_labels_panel(are_figures_shown_ ? scene.labels : state::Labels{});
    const double shown_seconds =
        static_cast<double>(model.player.tick().number) / model.player.tick_rate_hz();
    if (is_draw_panel_shown_)
      draw_choice_panel(*model.choice, model.debug_draw, {status_right_ + margin, margin},
                        bar_height, keys);
    // Both panels are drawn side by side if the window is wide enough. Otherwise the draw panel
    // hides the body list.
    constexpr float wide = 720;
    const bool has_room = !is_draw_panel_shown_ || ImGui::GetIO().DisplaySize.x >= wide;
    if (browser_.is_shown() && has_room)
      browser_.draw(scene.bodies, facts_of(model.player, browser_.selected()), top, bar_height,
                    shown_seconds, keys);
  }
  if (is_help_shown_)
    draw_help_sheet(replay_help(controls, model.settings.facts.gamepad), help_note);
  model.settings.panel.draw(model.settings.settings, model.settings.facts);
  notice_.draw(model.seconds, are_panels_shown_ ? replay_notice_height : margin);
  frame_->end();
}

void ReplayHud::draw_status(const ReplayHudModel& model) {
  ReplayPlayer& player = model.player;
  ImGui::SetNextWindowPos({margin, margin});
  ImGui::Begin("status", nullptr, panel_flags);
  ImGui::TextUnformatted(player.tape().simulation().world_def().scene_name.c_str());
  ImGui::SameLine();
  ImGui::TextColored(dim, "%s", model.file.c_str());
  if (ImGui::BeginTable("figures", 2, ImGuiTableFlags_SizingFixedFit)) {
    // Fixed width for any hash, so that the panel does not resize with every tick.
    ImGui::TableSetupColumn("names");
    ImGui::TableSetupColumn("values", ImGuiTableColumnFlags_WidthFixed,
                            ImGui::CalcTextSize("dddddddddddddddd").x);
    const auto& bodies = player.scene().bodies;
    const auto awake = std::count_if(bodies.begin(), bodies.end(),
                                     [](const client::ShownBody& body) { return body.is_awake; });
    row("tick", "%u", player.tick().number);
    row("bodies", "%zu, %td awake", bodies.size(), awake);
    row("hash", "%016llx",
        static_cast<unsigned long long>(player.tape().simulation().hash().total));
    ImGui::EndTable();
  }
  if (const auto matches_recording = player.matches_recording())
    ImGui::TextColored(
        *matches_recording ? good : bad, "%s",
        *matches_recording ? "state matches the recording" : "state differs from the recording");
  if (player.has_other()) {
    ImGui::Spacing();
    const std::string key =
        model.settings.settings.controls.keys.word(controls::UserAction::ReplayGhost);
    ImGui::TextColored({1, 0.36f, 0.80f, 1}, "ghost%s",
                       model.is_ghost_shown ? "" : (" (" + key + ")").c_str());
    ImGui::SameLine();
    ImGui::TextColored(dim, "%s", model.other_file.c_str());
    const replay::SceneDifference* difference = player.difference();
    if (difference == nullptr) {
      ImGui::TextColored(warning, "%s", player.is_there() ? "does not have this tick" : "seeking");
    } else if (difference->bodies == 0) {
      const bool is_same = !player.differs_now();
      ImGui::TextColored(is_same ? good : warning, "%s",
                         is_same ? "the same state" : "different state, same poses");
    } else {
      ImGui::TextColored(warning, "%s %s", base::counted(difference->bodies, "body").c_str(),
                         difference->bodies == 1 ? "differs" : "differ");
      if (!difference->farthest.is_null()) {
        const auto* body = render::find_body(player.scene().bodies, difference->farthest);
        ImGui::Text("largest distance: body %s, %.3g m",
                    body_words(body, difference->farthest).c_str(),
                    static_cast<double>(difference->distance));
      }
    }
  }
  ImGui::Spacing();
  draw_help_hint(model.settings.settings.controls.keys);
  status_right_ = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
  ImGui::End();
}

void ReplayHud::draw_bar(const ReplayHudModel& model) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float padding = ImGui::GetStyle().WindowPadding.x;
  ImGui::SetNextWindowPos({margin, screen.y - margin}, ImGuiCond_Always, {0, 1});
  const float width = screen.x - 2 * (margin + padding);
  ImGui::Begin("replay", nullptr, mouse_panel_flags);
  draw_scrubber(model.player, width);
  draw_buttons(model, width);
  ImGui::End();
}

/// Draws the time line. Requests a seek to the tick under the mouse while its button is pressed
/// there.
void ReplayHud::draw_scrubber(ReplayPlayer& player, float width) {
  const Track track(player, ImGui::GetCursorScreenPos(), width);
  ImGui::InvisibleButton("track", {width, track_height});
  if (ImGui::IsItemActive() || ImGui::IsItemDeactivated())
    wish_.seek = track.tick_at(ImGui::GetIO().MousePos.x);
  if (ImGui::IsItemHovered()) {
    // Show the tooltip above the time line, because the buttons are below it.
    const float top = ImGui::GetWindowPos().y - 4;
    ImGui::SetNextWindowPos({ImGui::GetIO().MousePos.x, top}, ImGuiCond_Always, {0.5f, 1});
    ImGui::SetTooltip("tick %u", track.tick_at(ImGui::GetIO().MousePos.x).number);
  }
  draw_marks(player, track);
}

void ReplayHud::draw_buttons(const ReplayHudModel& model, float width) {
  ReplayPlayer& player = model.player;
  const auto button = [&](const char* words, ReplayCommand command, float button_width) {
    if (ImGui::Button(words, {button_width, 0})) wish_.command = command;
    ImGui::SameLine(0, 4);
  };
  button("|<", ReplayCommand::ToStart, 34);
  button("<", ReplayCommand::BackOnce, 28);
  button(player.is_playing() ? "pause" : "play", ReplayCommand::Toggle, 58);
  button(">", ReplayCommand::StepOnce, 28);
  button(">|", ReplayCommand::ToEnd, 34);
  flow(rates_width, width);
  button("-", ReplayCommand::Slower, 24);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(rate_words(player.rate()).c_str());
  ImGui::SameLine(0, 4);
  button("+", ReplayCommand::Faster, 24);
  const std::string of_all = "of " + std::to_string(player.last().number);
  flow(tick_field_width + ImGui::CalcTextSize(of_all.c_str()).x + 60, width);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(dim, "tick");
  ImGui::SameLine(0, 6);
  ImGui::SetNextItemWidth(tick_field_width);
  // The typed tick is used when Enter is pressed or the field loses the focus.
  std::int64_t typed = player.wanted().number;
  if (ImGui::InputScalar("##tick", ImGuiDataType_S64, &typed, nullptr, nullptr, nullptr,
                         ImGuiInputTextFlags_AutoSelectAll))
    typed_tick_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(typed, 0, UINT32_MAX));
  const bool is_given_up = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if (ImGui::IsItemDeactivatedAfterEdit() && !is_given_up) wish_.seek = state::Tick{typed_tick_};
  ImGui::SameLine(0, 6);
  ImGui::TextColored(dim, "%s", of_all.c_str());
  const std::string time = time_of(player.tick() - player.first(), player.tick_rate_hz());
  flow(time.c_str(), width);
  ImGui::TextUnformatted(time.c_str());
  if (!player.differing().empty() || !player.diverged().empty()) {
    flow("first difference", width);
    button("first difference", ReplayCommand::ToDifference, 0);
  }
  if (!player.is_there()) {
    const std::string words = "seeking: tick " + std::to_string(player.tick().number);
    flow(words.c_str(), width);
    ImGui::TextColored(warning, "%s", words.c_str());
  }
  draw_legend(player, width);
}

}  // namespace jostle::panels

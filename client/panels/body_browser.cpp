#include "client/panels/body_browser.h"

#include "client/panels/font_atlas.h"
#include "client/panels/panel.h"
#include "client/render/shown_bodies.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace jostle::panels {
namespace {

constexpr float panel_width = 260, least_list_height = 80, details_height = 250;
constexpr float degrees_per_radian = 57.2957795f;

std::string title_of(const state::BodyInfo& info) {
  return std::to_string(info.id.value) + (info.name.empty() ? "" : " " + info.name);
}

const char* name_of(state::MotionType motion) {
  switch (motion) {
    case state::MotionType::Static:
      return "static";
    case state::MotionType::Kinematic:
      return "kinematic";
    case state::MotionType::Dynamic:
      return "dynamic";
  }
  return "";
}

template <typename... Values>
std::string words(const char* format, Values... values) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

double wide(float value) {
  return static_cast<double>(value);
}

struct Turn {
  float angle = 0;  // rad, 0 to pi
  math::Vec3 axis{0, 1, 0};
};
Turn turn_of(math::Quat q) {
  const float sign = q.w < 0 ? -1.0f : 1.0f;
  const math::Vec3 v = math::Vec3{q.x, q.y, q.z} * sign;
  const float sine = math::length(v);
  return {2 * std::atan2(sine, q.w * sign), math::normalized_or(v, {0, 1, 0})};
}

/// Adds rows of a report to the table of the selected body. Mass and island are shown for dynamic
/// bodies only.
void draw_report(const state::BodyReport& report, state::MotionType motion) {
  if (motion == state::MotionType::Dynamic) {
    row("mass", "%.4g kg", wide(report.mass));
    row("island", "%u %s", report.island_bodies, report.island_bodies == 1 ? "body" : "bodies");
  }
  row("contacts", "%u %s", report.contact_points, report.contact_points == 1 ? "point" : "points");
}

}  // namespace

std::vector<const client::ShownBody*> bodies_that_match(std::span<const client::ShownBody> bodies,
                                                        const std::string& text) {
  std::vector<const client::ShownBody*> found;
  for (const client::ShownBody& body : bodies)
    if (holds(title_of(*body.info), text)) found.push_back(&body);
  return found;
}

std::string describe(const state::Shape& shape) {
  const double radius = wide(shape.radius), length = 2 * wide(shape.half_segment);
  const math::Vec3 size = shape.half_extents * 2.0f;
  switch (shape.kind) {
    case state::ShapeKind::Sphere:
      return words("sphere, radius %.2f m", radius);
    case state::ShapeKind::Box:
      return words("box, %.2f × %.2f × %.2f m", wide(size.x), wide(size.y), wide(size.z));
    case state::ShapeKind::Capsule:
      return words("capsule, radius %.2f, axis %.2f m", radius, length);
    case state::ShapeKind::Cylinder:
      return words("cylinder, radius %.2f, height %.2f m", radius, length);
    case state::ShapeKind::Cone:
      return words("cone, radius %.2f, height %.2f m", radius, length);
    case state::ShapeKind::Plane:
      return "plane";
    case state::ShapeKind::Hull:
      return "hull";
    case state::ShapeKind::Mesh:
      return "mesh";
    case state::ShapeKind::HeightField:
      return "height field";
  }
  return "";
}

void ShownMotion::follow(const client::ShownBody& body, double seconds) {
  const bool is_same = body.info->id == body_ && seconds >= seconds_;
  if (is_same && seconds > seconds_) {
    const auto passed = static_cast<float>(seconds - seconds_);
    motion_.speed = math::length(body.pose.position - pose_.position) / passed;
    const math::Quat turned = body.pose.rotation * math::conjugate(pose_.rotation);
    motion_.turning_speed = turn_of(turned).angle / passed;
  } else if (!is_same) {
    motion_ = {};
  }
  body_ = body.info->id;
  pose_ = body.pose;
  seconds_ = seconds;
}

void BodyBrowser::select(state::BodyId body) {
  selected_ = body;
  is_shown_ = is_scroll_due_ = true;
}

void BodyBrowser::find_again(std::span<const client::ShownBody> bodies) {
  if (selected_.is_null()) return;
  if (const client::ShownBody* const body = render::find_body(bodies, selected_)) {
    selected_name_ = body->info->name;
    return;
  }
  const auto has_name = [&](const client::ShownBody& body) {
    return body.info->name == selected_name_;
  };
  if (selected_name_.empty() || std::ranges::count_if(bodies, has_name) != 1) return;
  selected_ = std::ranges::find_if(bodies, has_name)->info->id;
}

void BodyBrowser::draw(std::span<const client::ShownBody> bodies, const BodyFacts& facts, float top,
                       float below, double seconds, const controls::KeyBindings& keys) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x - margin, top}, ImGuiCond_Always, {1, 0});
  ImGui::SetNextWindowBgAlpha(0.88f);
  limit_next_panel(top, below);
  ImGui::Begin("bodies", nullptr, scrolled_panel_flags);
  ImGui::SetNextItemWidth(panel_width);
  ImGui::InputTextWithHint("##filter", "find a body by name or number", filter_.data(),
                           filter_.size());
  const float details = selected_.is_null() ? 0 : details_height;
  const float room = screen.y - top - below - details - 110;
  draw_list(bodies, std::clamp(room, least_list_height, 260.0f));
  draw_selected(bodies, facts, seconds);
  ImGui::Spacing();
  using enum controls::UserAction;
  ImGui::TextColored(dim, "%s: inspect the body under the cursor    %s: close",
                     keys.word(Inspect).c_str(), keys.word(Bodies).c_str());
  ImGui::End();
}

void BodyBrowser::draw_list(std::span<const client::ShownBody> bodies, float height) {
  const auto found = bodies_that_match(bodies, filter_.data());
  ImGui::BeginChild("list", {panel_width, height});
  const float line = ImGui::GetTextLineHeightWithSpacing();
  if (is_scroll_due_) {
    const auto at = std::find_if(found.begin(), found.end(),
                                 [&](const auto* body) { return body->info->id == selected_; });
    ImGui::SetScrollY(line * static_cast<float>(at - found.begin()) - height * 0.5f);
    is_scroll_due_ = false;
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(found.size()), line);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const client::ShownBody& body = *found[static_cast<std::size_t>(i)];
      const state::Colour colour = body.info->colour;
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::GetWindowDrawList()->AddRectFilled(
          {at.x + 2, at.y + 3}, {at.x + 11, at.y + 12},
          IM_COL32(colour.red, colour.green, colour.blue, 255));
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 18);
      const bool is_asleep = body.info->motion == state::MotionType::Dynamic && !body.is_awake;
      if (is_asleep) ImGui::PushStyleColor(ImGuiCol_Text, dim);
      const std::string title = title_of(*body.info) + "##" + std::to_string(body.info->id.value);
      if (ImGui::Selectable(with_glyphs(title), body.info->id == selected_))
        selected_ = body.info->id;
      if (is_asleep) ImGui::PopStyleColor();
    }
  }
  ImGui::EndChild();
  ImGui::TextColored(dim, "%zu of %zu bodies", found.size(), bodies.size());
}

void BodyBrowser::draw_selected(std::span<const client::ShownBody> bodies, const BodyFacts& facts,
                                double seconds) {
  if (selected_.is_null()) return;
  ImGui::Separator();
  const client::ShownBody* const body = render::find_body(bodies, selected_);
  if (body == nullptr) {
    ImGui::TextColored(warning, "body %u does not exist", selected_.value);
    return;
  }
  motion_.follow(*body, seconds);
  const state::BodyInfo& info = *body->info;
  ImGui::TextUnformatted(with_glyphs(title_of(info)));
  if (!ImGui::BeginTable("body", 2, ImGuiTableFlags_SizingFixedFit, {panel_width, 0})) return;
  const bool is_asleep = info.motion == state::MotionType::Dynamic && !body->is_awake;
  row("kind", "%s%s", name_of(info.motion), is_asleep ? ", asleep" : "");
  if (!info.owner.is_null()) row("player", "%u", static_cast<unsigned>(info.owner.value));
  const math::Position at = body->pose.position;
  row("position", "%.3f  %.3f  %.3f m", at.x, at.y, at.z);
  const Turn turn = turn_of(body->pose.rotation);
  row("rotation", "%.1f° about %.2f %.2f %.2f", wide(turn.angle * degrees_per_radian),
      wide(turn.axis.x), wide(turn.axis.y), wide(turn.axis.z));
  const BodyMotion motion = facts.motion.value_or(motion_.motion());
  row("speed", "%.2f m/s, %.2f rad/s", wide(motion.speed), wide(motion.turning_speed));
  if (facts.report != nullptr) draw_report(*facts.report, info.motion);
  constexpr std::size_t most_shapes = 3;
  for (std::size_t i = 0; i < std::min(info.shapes.size(), most_shapes); ++i)
    row(i == 0 ? "shape" : "", describe(info.shapes[i].shape).c_str());
  if (info.shapes.size() > most_shapes) row("", "and %zu more", info.shapes.size() - most_shapes);
  ImGui::EndTable();
}

}  // namespace jostle::panels

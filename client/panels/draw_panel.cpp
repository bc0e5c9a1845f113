#include "client/panels/draw_panel.h"

#include "client/panels/panel.h"
#include "client/render/debug_draw_mesh.h"

#include <algorithm>

namespace jostle::panels {
namespace {

using state::DebugDrawKind;
using state::DebugDrawLayer;

/// Returns the kinds of items that a layer draws. The legend shows their colours.
std::vector<DebugDrawKind> kinds_of(DebugDrawLayer layer) {
  switch (layer) {
    case DebugDrawLayer::Boxes:
      return {DebugDrawKind::Box};
    case DebugDrawLayer::Contacts:
      return {DebugDrawKind::Contact, DebugDrawKind::ContactNormal};
    case DebugDrawLayer::Impulses:
      return {DebugDrawKind::ContactImpulse, DebugDrawKind::FrictionImpulse};
    case DebugDrawLayer::Joints:
      return {DebugDrawKind::JointX, DebugDrawKind::JointY, DebugDrawKind::JointZ,
              DebugDrawKind::JointArm, DebugDrawKind::JointLimit};
    case DebugDrawLayer::Centres:
      return {DebugDrawKind::Centre};
    case DebugDrawLayer::Velocities:
      return {DebugDrawKind::Velocity, DebugDrawKind::AngularVelocity};
    case DebugDrawLayer::Islands:
      return {DebugDrawKind::Island};
  }
  return {};
}

void draw_legend(DebugDrawLayer layer) {
  for (const DebugDrawKind kind : kinds_of(layer)) {
    const state::Colour colour = render::colour_of(kind);
    ImGui::SameLine(0, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + 6}, {at.x + 9, at.y + 15},
                                              IM_COL32(colour.red, colour.green, colour.blue, 255));
    // A border makes dark colours visible.
    ImGui::GetWindowDrawList()->AddRect({at.x, at.y + 6}, {at.x + 9, at.y + 15},
                                        IM_COL32(170, 180, 190, 160));
    ImGui::Dummy({9, 9});
  }
}

}  // namespace

void draw_choice_panel(DrawChoice& choice, const state::DebugDrawFrame* debug_draw, ImVec2 at,
                       float below, const controls::KeyBindings& keys) {
  using enum controls::UserAction;
  ImGui::SetNextWindowPos(at);
  limit_next_panel(at.y, below + at.y);
  ImGui::SetNextWindowBgAlpha(0.88f);
  ImGui::Begin("draw", nullptr, scrolled_panel_flags);
  ImGui::TextColored(dim, "bodies (%s)", keys.word(Look).c_str());
  for (std::size_t i = 0; i < render::body_look_count; ++i) {
    const auto look = static_cast<render::BodyLook>(i);
    if (ImGui::RadioButton(render::name_of(look), choice.look == look)) choice.look = look;
  }
  ImGui::Checkbox("draw sleeping bodies paler", &choice.is_sleep_shown);
  ImGui::Spacing();
  ImGui::TextColored(dim, "debug draw");
  for (std::size_t i = 0; i < state::debug_draw_layer_count; ++i) {
    const auto layer = static_cast<DebugDrawLayer>(i);
    bool is_on = (choice.layers & bit_of(layer)) != 0;
    if (ImGui::Checkbox(std::string(state::debug_draw_layer_names[i]).c_str(), &is_on))
      choice.layers ^= bit_of(layer);
    draw_legend(layer);
  }
  if (debug_draw != nullptr && debug_draw->left_out > 0)
    ImGui::TextColored(warning, "%u more items are not drawn", debug_draw->left_out);
  ImGui::TextColored(dim, "%s: close", keys.word(Draw).c_str());
  ImGui::End();
}

}  // namespace jostle::panels

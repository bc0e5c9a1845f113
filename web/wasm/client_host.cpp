#include "web/wasm/client_host.h"

#include "client/render/rope_marks.h"
#include "client/render/shown_bodies.h"

#include "web/wasm/page_io.h"
#include "web/wasm/page_transport.h"
#include <algorithm>
#include <cmath>

namespace jostle::web {

ClientHost::ClientHost(const client::Options& options, EngineUse use)
    : engine_(make_client_engine(use)), client_(page_io(), page_transport(), options) {
  if (engine_.predictor) client_.set_predictor(engine_.predictor.get());
  if (engine_.lockstep) client_.set_lockstep(engine_.lockstep.get());
}

bool ClientHost::is_ready() const {
  return client_.status().state == client::ClientState::Playing;
}

void ClientHost::advance(const controls::UserInput& user, render::Size size, float seconds) {
  client_.update();
  if (!is_ready()) return;
  seconds_playing_ += static_cast<double>(seconds);
  const ViewChoice& choice = view_choice();
  controller_.set_followed(choice.selected);
  controller_.fly(user, client_, size, seconds_playing_, seconds);
  set_interest(size);
  client_.inspect({choice.layers, choice.wants_statistics, choice.selected});
  client_.set_newest_wanted(choice.are_ghosts_shown);
}

void ClientHost::set_interest(render::Size size) {
  const render::View view = controller_.rig().view();
  protocol::SetInterest interest;
  interest.eye = view.eye;
  const float length = math::length(view.forward);
  if (length > 0) interest.forward = view.forward * (1 / length);
  const float up = std::tan(view.fov_y / 2), right = up * size.aspect();
  interest.half_angle = std::atan(std::sqrt(up * up + right * right));
  client_.set_interest(interest);
}

render::Picture ClientHost::picture() {
  render::Picture picture;
  picture.view = controller_.rig().view();
  picture.focus = controller_.rig().target();
  picture.bodies = client_.shown_bodies();
  picture.particles = client_.shown_particles();
  picture.hovered = controller_.planner().hovered();
  marks_.clear();
  render::add_rope_marks(client_.ropes(), client_.shown_bodies(), marks_);
  if (const auto& grab = controller_.planner().grab()) {
    picture.grabbed = grab->body;
    if (const auto* body = render::find_body(client_.shown_bodies(), grab->body)) {
      render::Mark& mark = marks_.emplace_back();
      mark.from = math::transform_point(body->pose, grab->point_local);
      mark.to = grab->target;
    }
  }
  picture.marks = marks_;
  picture.own = client_.status().player;
  picture.debug_draw = client_.debug_draw();
  ghosts_ = render::ghosts_of(client_.newest_bodies(), client_.shown_bodies());
  picture.ghosts = ghosts_;
  return picture;
}

}  // namespace jostle::web

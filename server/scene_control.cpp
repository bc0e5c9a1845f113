#include "server/scene_control.h"

#include "shared/base/suggestion.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace jostle::server {

/// Returns true if the client may pause, step, reset, or change gravity or the scene. Spectators
/// may not, in a sandbox neither, unless they are operators.
bool SceneControl::may_control(const ClientSession& session) const {
  return session.granted_role == secure::Role::Operator ||
         (options_.is_sandbox && !session.player.is_null());
}

/// Sends the client a notice that it may not control the world. Sends at most one notice per
/// second, because a key that is held down repeats the request.
void SceneControl::send_denied(ClientSession& session) {
  constexpr std::int64_t interval_us = 1'000'000;
  ++clients_.metrics().controls_denied;
  const std::int64_t now_us = io_.now_us();
  if (session.control.denied_us && now_us - *session.control.denied_us < interval_us) return;
  session.control.denied_us = now_us;
  clients_.send_control(session,
                        protocol::Notice{"only operators may pause, step, reset or change the "
                                         "scene, unless the server runs with " +
                                         options_.names.sandbox});
}

bool SceneControl::control(ClientSession& session, const state::ControlCommand& command) {
  if (!may_control(session)) {
    send_denied(session);
    return true;
  }
  if (++session.control.controls_this_tick > max_controls_per_tick) return false;
  if (command.kind == state::ControlKind::Reset) {
    reset_request_ = command;
  } else {
    commands_.add(command);
  }
  return true;
}

void SceneControl::apply_reset_request() {
  const std::int64_t now_us = io_.now_us();
  if (!reset_request_ || !reset_limiter_.is_over(now_us)) return;
  reset_limiter_.note(now_us, now_us);
  commands_.add(*std::exchange(reset_request_, std::nullopt));
}

bool SceneControl::send_list(ClientSession& session) {
  const std::int64_t now_us = io_.now_us();
  std::optional<std::int64_t>& sent_us = session.control.list_sent_us;
  if (sent_us && now_us - *sent_us < scene_interval_us) return false;
  sent_us = now_us;
  if (catalogue_.entries.empty()) {
    clients_.send_control(session, protocol::Notice{"the server has no scenes to choose from"});
    return true;
  }
  protocol::SceneInfo info;
  info.count = static_cast<std::uint16_t>(catalogue_.entries.size());
  for (const SceneCatalogue::Entry& entry : catalogue_.entries) {
    info.name = entry.name;
    info.description = entry.description;
    clients_.send_control(session, info);
    ++info.index;
  }
  return true;
}

bool SceneControl::request_scene(ClientSession& session, const std::string& name) {
  if (++session.control.controls_this_tick > max_controls_per_tick) return false;
  if (!may_control(session)) ++clients_.metrics().controls_denied;
  if (auto why_not = why_no_scene(session, name)) {
    clients_.send_control(session, protocol::Notice{std::move(*why_not)});
    return true;
  }
  if (scene_request_ && scene_request_->peer != session.peer) {
    if (const ClientSession* const other = clients_.find(scene_request_->peer))
      clients_.send_control(*other, protocol::Notice{"another client chose scene '" + name + "'"});
  }
  scene_request_ = {session.peer, name};
  return true;
}

std::optional<std::string> SceneControl::why_no_scene(const ClientSession& session,
                                                      const std::string& name) const {
  if (!may_control(session))
    return options_.is_sandbox
               ? "spectators may not change the scene; join as a player"
               : "only operators may change the scene, unless the server runs with " +
                     options_.names.sandbox;
  std::vector<std::string> names;
  for (const SceneCatalogue::Entry& entry : catalogue_.entries)
    names.push_back(entry.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    return "the server has no scene '" + name + "'" + base::suggestion(name, names);
  if (recording_.holds_only_one_scene())
    return "the scene cannot be changed while the run is recorded with " + options_.names.record;
  return std::nullopt;
}

std::optional<StartedScene> SceneControl::apply_scene_request() {
  // The step of the tick before has taken over the new world and left the previous one.
  loader_.discard(std::exchange(switched_, nullptr));
  const std::int64_t now_us = io_.now_us();
  if (scene_request_ && !loader_.is_loading() && scene_limiter_.is_over(now_us)) {
    scene_limiter_.note(now_us, now_us);
    loading_ = *std::exchange(scene_request_, std::nullopt);
    loader_.load(catalogue_, loading_.name, simulation_,
                 {options_.max_players, clients_.sessions().size()}, recording_.preparation());
  }
  auto loaded = loader_.take();
  if (!loaded) return std::nullopt;
  const ClientSession* const session = clients_.find(loading_.peer);
  if (auto why_not = why_not_loaded(*loaded)) {
    if (session != nullptr) clients_.send_control(*session, protocol::Notice{std::move(*why_not)});
    return std::nullopt;
  }
  simulation_.load(loaded->scene);
  switched_ = loaded->scene;
  clients_.log(base::LogLevel::Info, "scene loaded",
               {{"scene", loading_.name},
                {"by", session != nullptr ? session->name : "a client that has left"}});
  return StartedScene{std::move(loaded->file), std::move(loaded->journals)};
}

std::optional<std::string> SceneControl::why_not_loaded(const SceneLoader::Loaded& loaded) {
  if (loaded.scene != nullptr) return std::nullopt;
  // The details of the error are for the operator only.
  clients_.log(base::LogLevel::Warn, "scene not loaded",
               {{"scene", loading_.name},
                {"why", loaded.refused.empty() ? loaded.unreadable : loaded.refused}});
  if (!loaded.refused.empty()) return loaded.refused;
  return "scene '" + loading_.name + "' can no longer be read";
}

void SceneControl::publish_status() {
  const protocol::SceneStatus status{
      .is_paused = simulation_.is_paused(),
      .is_gravity_off = simulation_.is_gravity_off(),
      .shoot_on_click = simulation_.scene().player.shoot_on_click,
      .rate_percent = static_cast<std::uint16_t>(simulation_.rate_percent())};
  for (auto& [peer, session] : clients_) {
    if (session.state == ClientSessionState::AwaitHello || session.control.sent_status == status)
      continue;
    session.control.sent_status = status;
    clients_.send_control(session, status);
  }
}

void SceneControl::end_tick() {
  for (auto& [peer, session] : clients_)
    session.control.controls_this_tick = 0;
}

}  // namespace jostle::server

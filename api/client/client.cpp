#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/client/client_host.h"
#include "api/play/input.h"
#include "api/play/value.h"
#include "protocol/limits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jostle::api {
namespace {

constexpr double max_wait = 60;

static_assert(JOSTLE_CLIENT_FAILED == static_cast<int>(client::ClientState::Failed));
static_assert(JOSTLE_FAILURE_UNREADABLE == static_cast<int>(client::Failure::Unreadable));
static_assert(sizeof(jostle_client_scene::name) > protocol::max_name_bytes);

/// Copies a text into an array of the caller, which is zero, and cuts it between two letters.
template <std::size_t size>
void copy_text(const std::string& from, char (&to)[size]) {
  std::size_t length = std::min(from.size(), size - 1);
  while (length < from.size() && length > 0 &&
         (static_cast<unsigned char>(from[length]) & 0xC0U) == 0x80U)
    --length;
  from.copy(to, length);
}

jostle_client_status status_of(const client::Client& client) {
  const client::Status& from = client.status();
  jostle_client_status status{};
  status.state = static_cast<jostle_client_state>(from.state);
  status.failure = static_cast<jostle_failure>(from.failure);
  status.player = from.player.value;
  status.is_reconnecting = from.is_reconnecting ? 1 : 0;
  status.body_count = static_cast<std::uint32_t>(client.shown_bodies().size());
  status.world_revision = client.world().revision;
  const protocol::SceneStatus& scene = client.scene_status();
  status.is_paused = scene.is_paused ? 1 : 0;
  status.is_gravity_off = scene.is_gravity_off ? 1 : 0;
  status.rate_percent = scene.rate_percent;
  copy_text(from.text, status.text);
  return status;
}

jostle_client_metrics metrics_of(const client::Client& client) {
  const client::Metrics& from = client.metrics();
  jostle_client_metrics metrics{};
  metrics.server_tick = from.server_tick;
  metrics.shown_tick = client.shown_tick();
  metrics.round_trip_ms = from.round_trip_ms;
  metrics.interpolation_delay_ms = from.interpolation_delay_ms;
  metrics.input_latency_ms = from.input_latency_ms;
  metrics.loss = from.loss;
  metrics.bytes_per_second_down = from.bytes_per_second_down;
  metrics.bytes_per_second_up = from.bytes_per_second_up;
  metrics.bytes_down = from.bytes_down;
  metrics.bytes_up = from.bytes_up;
  metrics.snapshots = from.snapshots_complete;
  metrics.durable_tick = from.durable_tick.number;
  return metrics;
}

protocol::SetInterest checked_interest(const jostle_interest& from) {
  require_finite(from.eye, "interest->eye");
  require_finite(from.forward, "interest->forward");
  if (from.forward.x != 0 || from.forward.y != 0 || from.forward.z != 0)
    require_unit(from.forward, "interest->forward");
  require_range(from.half_angle, 0, std::numbers::pi, "interest->half_angle", "rad");
  constexpr double max_radius = 1e9;
  require_range(from.radius, 0, max_radius, "interest->radius", "m");
  protocol::SetInterest interest;
  interest.eye = {from.eye.x, from.eye.y, from.eye.z};
  interest.forward = {from.forward.x, from.forward.y, from.forward.z};
  interest.half_angle = std::min(from.half_angle, std::numbers::pi_v<float>);
  interest.radius = from.radius;
  interest.max_bytes_per_second = from.max_client_rate;
  return interest;
}

}  // namespace

template <>
jostle_interest default_of() {
  jostle_interest interest{};
  interest.size = sizeof interest;
  interest.half_angle = std::numbers::pi_v<float>;
  return interest;
}

}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_interest_init(jostle_interest* interest, size_t size) {
  return write_default(__func__, interest, size);
}

jostle_result jostle_client_create(const jostle_client_def* def, jostle_client* client) {
  return guard(__func__, [&] {
    ClientHostOptions options = checked_client(read_struct(def, "def"));
    require_pointer(client, "client");
    *client = clients().create(std::make_unique<ClientHost>(std::move(options)));
  });
}
jostle_result jostle_client_destroy(jostle_client client) {
  return guard(__func__, [&] { clients().destroy(client); });
}
jostle_bool jostle_client_is_alive(jostle_client client) {
  return clients().is_alive(client) ? 1 : 0;
}
jostle_result jostle_client_poll(jostle_client client, double max_wait_seconds) {
  return change_client(__func__, client, [&](ClientHost& found) {
    require_range(max_wait_seconds, 0, max_wait, "max_wait_seconds", "s");
    found.poll(max_wait_seconds);
  });
}
jostle_result jostle_client_try_again(jostle_client client) {
  return change_client(__func__, client, [&](ClientHost& found) {
    if (found.client().status().state != jostle::client::ClientState::Failed)
      refuse_text(JOSTLE_ERROR_WRONG_STATE, "the client has not failed");
    found.client().try_again();
  });
}
jostle_result jostle_client_get_status(jostle_client client, jostle_client_status* status) {
  return read_client(__func__, client, [&](const jostle::client::Client& found) {
    require_output(status, "status");
    write_struct(status, status_of(found));
  });
}
jostle_result jostle_client_get_metrics(jostle_client client, jostle_client_metrics* metrics) {
  return read_client(__func__, client, [&](const jostle::client::Client& found) {
    require_output(metrics, "metrics");
    write_struct(metrics, metrics_of(found));
  });
}

jostle_result jostle_client_set_input(jostle_client client, const jostle_input* input) {
  return change_client(__func__, client, [&](ClientHost& found) {
    found.set_input(checked_input(read_struct(input, "input"), "input"));
  });
}
jostle_result jostle_client_act(jostle_client client, const jostle_action* action) {
  return change_client(__func__, client, [&](ClientHost& found) {
    require_pointer(action, "action");
    found.act(checked_action(*action, "action"));
  });
}

jostle_result jostle_client_get_values(jostle_client client, jostle_value* values, size_t stride,
                                       size_t capacity, size_t* count) {
  return read_client(__func__, client, [&](const jostle::client::Client& found) {
    const auto output = list_output(values, stride, capacity, count);
    const std::vector<state::Label>& lines = found.values().lines;
    write_list(output, lines.size(), [&](std::size_t i) { return api::to_c(lines[i]); });
  });
}

jostle_result jostle_client_get_scene_name(jostle_client client, char* name, size_t capacity) {
  return read_client(__func__, client, [&](const jostle::client::Client& found) {
    const std::string& text = found.world().scene_name;
    write_text(text.data(), text.size(), name, capacity, "name");
  });
}
jostle_result jostle_client_request_scenes(jostle_client client) {
  return change_client(__func__, client,
                       [&](ClientHost& found) { found.client().ask_for_scenes(); });
}
jostle_result jostle_client_get_scenes(jostle_client client, jostle_client_scene* scenes,
                                       size_t stride, size_t capacity, size_t* count) {
  return read_client(__func__, client, [&](const jostle::client::Client& found) {
    const auto output = list_output(scenes, stride, capacity, count);
    const std::vector<protocol::SceneInfo>& list = found.scenes();
    write_list(output, list.size(), [&](std::size_t i) {
      jostle_client_scene scene{};
      copy_text(list[i].name, scene.name);
      copy_text(list[i].description, scene.description);
      return scene;
    });
  });
}
jostle_result jostle_client_load_scene(jostle_client client, const char* name) {
  return change_client(__func__, client, [&](ClientHost& found) {
    require_pointer(name, "name");
    const std::string text(name);
    if (text.empty() || text.size() > protocol::max_name_bytes)
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "name has %zu bytes; accepted: 1 to %zu", text.size(),
             protocol::max_name_bytes);
    found.client().load_scene(text);
  });
}
jostle_result jostle_client_control(jostle_client client, jostle_control control, uint32_t number) {
  return change_client(__func__, client, [&](ClientHost& found) {
    found.client().request(checked_control(control, number));
  });
}
jostle_result jostle_client_take_notice(jostle_client client, char* text, size_t capacity) {
  return change_client(__func__, client, [&](ClientHost& found) {
    require_pointer(text, "text");
    require_capacity(capacity);
    const std::string notice = found.client().take_notice().value_or("");
    write_text(notice.data(), notice.size(), text, capacity, "text");
  });
}
jostle_result jostle_client_set_interest(jostle_client client, const jostle_interest* interest) {
  return change_client(__func__, client, [&](ClientHost& found) {
    found.client().set_interest(checked_interest(read_struct(interest, "interest")));
  });
}

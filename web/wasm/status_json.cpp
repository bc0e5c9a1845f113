// The state of the client as JSON, for the panels of the page.
#include "web/wasm/client_host.h"
#include "web/wasm/exports.h"
#include "web/wasm/json_writer.h"
#include <algorithm>

namespace jostle::web {
namespace {

void write_labels(JsonWriter& json, const state::Labels& labels) {
  for (const state::Label& line : labels.lines) {
    json.open('{').field("name", line.name).field("kind", static_cast<int>(line.kind));
    json.field("value", line.value).field("text", line.text).close('}');
  }
}

void write_metrics(JsonWriter& json, const client::Metrics& metrics) {
  json.key("metrics").open('{');
  json.field("tick", metrics.newest_tick.number).field("rtt_ms", metrics.round_trip_ms);
  json.field("loss", metrics.loss).field("bytes_down", metrics.bytes_per_second_down);
  json.field("bytes_up", metrics.bytes_per_second_up);
  json.field("total_down", static_cast<double>(metrics.bytes_down));
  json.field("snapshots", static_cast<double>(metrics.snapshots_complete));
  json.field("delay_ms", metrics.interpolation_delay_ms);
  json.field("latency_ms", metrics.input_latency_ms).field("age_ms", metrics.snapshot_age_ms);
  json.field("trouble", client::describe(metrics.trouble)).close('}');
}

void write_engine(JsonWriter& json, const client::Metrics& metrics) {
  const client::PredictionMetrics& prediction = metrics.prediction;
  json.key("prediction").open('{').field("running", prediction.is_running);
  json.field("text", prediction.text).field("ticks_ahead", prediction.ticks_ahead);
  json.field("error_m", prediction.error_m).close('}');
  const client::LockstepMetrics& lockstep = metrics.lockstep;
  json.key("lockstep").open('{').field("running", lockstep.is_running);
  json.field("text", lockstep.text).field("hashes", static_cast<double>(lockstep.hashes));
  json.field("ticks", static_cast<double>(lockstep.ticks));
  json.field("desynced", lockstep.has_desynced).close('}');
}

void write_statistics(JsonWriter& json, const state::ServerStatistics& statistics) {
  json.key("statistics").open('{').field("tick_ms", statistics.tick_ms);
  json.field("longest_tick_ms", statistics.longest_tick_ms);
  json.field("bytes_per_second", statistics.bytes_per_second);
  json.key("counts").open('{');
  for (std::size_t i = 0; i < state::server_count_count; ++i)
    json.field(state::server_count_names[i], statistics.counts[i]);
  json.close('}').key("phases").open('{');
  for (std::size_t i = 0; i < state::server_phase_count; ++i)
    json.field(state::server_phase_names[i], statistics.phase_ms[i]);
  json.close('}').key("stages").open('{');
  for (std::size_t i = 0; i < state::step_stage_count; ++i)
    json.field(state::step_stage_names[i], statistics.stage_ms[i]);
  json.close('}').close('}');
}

}  // namespace

/// Stores the client's state as JSON: connection, scene, values, metrics, statistics and the report
/// on the selected body. Null before client_start().
JOSTLE_EXPORT(client_status) void client_status() {
  if (client_host() == nullptr) return set_result("null");
  const client::Client& client = client_host()->client();
  const client::Status& status = client.status();
  const protocol::SceneStatus& scene = client.scene_status();
  const client::Metrics& metrics = client.metrics();
  JsonWriter json;
  json.open('{').field("state", static_cast<int>(status.state)).field("text", status.text);
  json.field("player", status.player.value).field("failure", static_cast<int>(status.failure));
  json.field("reconnecting", status.is_reconnecting).field("silent_s", client.seconds_silent());
  json.field("scene", client.world().scene_name).field("shown_tick", client.shown_tick());
  json.field("shown_s", client.shown_seconds());
  json.field("paused", scene.is_paused).field("gravity_off", scene.is_gravity_off);
  json.field("rate_percent", static_cast<int>(scene.rate_percent));
  json.field("shoot_on_click", scene.shoot_on_click);
  json.key("labels").open('[');
  write_labels(json, client.values());
  write_labels(json, client.labels());
  json.close(']');
  write_metrics(json, metrics);
  write_engine(json, metrics);
  if (const auto statistics = client.statistics()) write_statistics(json, *statistics);
  if (const auto report = client.body_report()) {
    json.key("report").open('{').field("body", report->body.value).field("mass", report->mass);
    json.field("contacts", report->contact_points)
        .field("island", report->island_bodies)
        .close('}');
  }
  json.close('}');
  set_result(json.take());
}

}  // namespace jostle::web

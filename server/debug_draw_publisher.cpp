#include "server/debug_draw_publisher.h"

#include "protocol/inspect_codec.h"
#include "server/debug_draw_view.h"
#include "shared/remote_debug_draw/report_body.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace jostle::server {
namespace {

/// Returns the session whose `due` tick passed first, of those for which is_waiting(session) is
/// true; null if none is due.
template <typename IsWaiting>
ClientSession* longest_waiting(Clients& clients, state::Tick InspectionSubscription::*due,
                               state::Tick now, IsWaiting&& is_waiting) {
  ClientSession* next = nullptr;
  for (auto& [peer, session] : clients) {
    if (session.inspection.*due > now || !is_waiting(session)) continue;
    if (next == nullptr || session.inspection.*due < next->inspection.*due) next = &session;
  }
  return next;
}

}  // namespace

void DebugDrawPublisher::request(InspectionSubscription& client,
                                 const protocol::InspectRequest& request) const {
  if (client.request.body != request.body) client.report_due = simulation_.tick();
  client.request = request;
}

void DebugDrawPublisher::publish_frames() {
  make_frame();
  for (auto& [peer, session] : clients_)
    send_parts(session);
}

/// Makes at most one debug draw frame per tick, for the client that has waited longest. The
/// fraction of time spent on debug draw is limited, so the cost grows neither with the number of
/// clients nor with the world.
void DebugDrawPublisher::make_frame() {
  ClientSession* const next = longest_waiting(clients_, &InspectionSubscription::debug_draw_due,
                                              simulation_.tick(), [](const ClientSession& session) {
                                                return session.inspection.request.layers != 0 &&
                                                       session.inspection.debug_draw_parts.empty();
                                              });
  const std::int64_t began_us = io_.now_us();
  if (next == nullptr || !frame_limiter_.is_over(began_us)) return;
  auto parts = protocol::encode_debug_draw(
      debug_draw_for(simulation_, next->inspection.request.layers, next->interest,
                     std::min(most_debug_draw_items, protocol::max_debug_draw_items)),
      simulation_.world_def().revision);
  frame_limiter_.note(began_us, io_.now_us());
  std::size_t bytes = 0;
  for (std::vector<std::byte>& part : parts) {
    bytes += part.size() + net::unreliable_datagram_bytes;
    next->inspection.debug_draw_parts.push_back(std::move(part));
  }
  const double seconds = std::max(static_cast<double>(bytes) / debug_draw_bytes_per_second,
                                  1 / debug_draws_per_second);
  next->inspection.debug_draw_due =
      simulation_.tick() + static_cast<std::uint32_t>(std::ceil(seconds * options_.tick_rate_hz));
}

/// Sends the next parts of a client's debug draw frame, at most debug_draw_parts_per_tick per tick.
/// Stops at a part that exceeds the client's budget, because snapshots have priority on slow links.
/// Drops the frame if the client no longer requests any layer.
void DebugDrawPublisher::send_parts(ClientSession& session) {
  auto& parts = session.inspection.debug_draw_parts;
  if (session.inspection.request.layers == 0) parts.clear();
  for (int i = 0; i < debug_draw_parts_per_tick && !parts.empty(); ++i) {
    if (session.budget.bytes < static_cast<double>(parts.front().size())) return;
    clients_.send_auxiliary(session, parts.front());
    parts.pop_front();
  }
}

void DebugDrawPublisher::publish_report() {
  ClientSession* const next =
      longest_waiting(clients_, &InspectionSubscription::report_due, simulation_.tick(),
                      [](const ClientSession& session) {
                        return session.state == ClientSessionState::Playing &&
                               !session.inspection.request.body.is_null();
                      });
  if (next == nullptr) return;
  next->inspection.report_due =
      simulation_.tick() +
      static_cast<std::uint32_t>(std::ceil(options_.tick_rate_hz / reports_per_second));
  const state::BodyId body = next->inspection.request.body;
  const auto handle = simulation_.find_body(body);
  if (!handle) return;
  state::BodyReport report = remote_debug_draw::report_body(simulation_.world(), *handle);
  report.tick = simulation_.tick();
  report.body = body;
  const std::vector<std::byte> message = protocol::encode_body_report(report);
  if (next->budget.bytes >= static_cast<double>(message.size()))
    clients_.send_auxiliary(*next, message);
}

}  // namespace jostle::server

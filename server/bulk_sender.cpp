#include "server/bulk_sender.h"

#include "protocol/world_codec.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace jostle::server {
namespace {

/// Time that a chunk may take over the link of a client that plays, and the minimum of its size.
constexpr double longest_chunk_seconds = 0.015, least_chunk_bytes = 100;
/// Number of ticks for which a chunk may wait for a snapshot.
constexpr std::int64_t most_waiting_ticks = 6;
/// Size of the header of a reliable message in ENet's datagrams.
constexpr double reliable_header_bytes = 6;
/// Minimum time between two reductions of the window, in addition to a round trip.
constexpr std::int64_t narrowing_us = 100'000;

bool is_thin(const ClientSession& session) {
  return session.budget.rate.bytes_per_second() < thin_bytes_per_second;
}

}  // namespace

void BulkSender::send(state::Tick now) {
  now_ = now;
  for (auto& [peer, session] : clients_)
    send_to(session);
}

/// Refills the blob budget of a rate-limited client: at the rate limit while the client joins, at
/// `bulk_share` of its current send rate while it plays.
void BulkSender::refill_budget(ClientSession& session) const {
  const double limit = session.most_bytes_per_second(options_.max_client_bytes_per_second);
  double rate = limit;
  if (session.state == ClientSessionState::Playing) {
    rate = std::min(limit, session.budget.rate.bytes_per_second());
    rate *= rate < thin_bytes_per_second ? thin_bulk_share : bulk_share;
  }
  const double chunk =
      static_cast<double>(protocol::max_blob_chunk_bytes + net::unreliable_datagram_bytes);
  session.budget.bulk_bytes = std::min(session.budget.bulk_bytes + rate / options_.tick_rate_hz,
                                       std::max(chunk, rate / 10));
}

/// Records which reliable bytes the client has acknowledged since the last call. Returns the number
/// of bytes that are not acknowledged.
std::size_t BulkSender::note_acknowledged(ClientSession& session) const {
  const std::size_t pending = transport_.pending_reliable_bytes(session.peer);
  std::size_t& before = session.budget.pending_reliable_bytes;
  if (pending < before) {
    const auto acknowledged = static_cast<double>(before - pending);
    // Chunks that shared the datagrams of snapshots arrived with these.
    if (session.state != ClientSessionState::Playing || !is_thin(session))
      session.budget.rate.note_reliable(acknowledged, joining_round_trip_us(session), io_.now_us());
    adapt_window(session, acknowledged, io_.now_us());
  }
  before = pending;
  // While the client plays, SnapshotSender updates the rate.
  if (session.state != ClientSessionState::Playing) session.budget.rate.advance(io_.now_us());
  return pending;
}

/// Returns the round-trip time of reliable messages while the client joins. Afterwards, the
/// acknowledgements of snapshots measure it.
std::optional<double> BulkSender::joining_round_trip_us(const ClientSession& session) const {
  if (session.state == ClientSessionState::Playing) return std::nullopt;
  const auto stats = transport_.stats(session.peer);
  return stats ? std::optional<double>(stats->round_trip_us) : std::nullopt;
}

/// Doubles the window in each round trip, and halves it if a queue builds up.
void BulkSender::adapt_window(ClientSession& session, double acknowledged, std::int64_t now_us) {
  SendBudget& budget = session.budget;
  if (!budget.rate.is_queued()) {
    const bool is_playing = session.state == ClientSessionState::Playing;
    budget.bulk_window = std::min(
        budget.bulk_window + acknowledged,
        static_cast<double>(is_playing ? max_playing_pending_bulk_bytes : max_pending_bulk_bytes));
    return;
  }
  const auto round_trip_us = static_cast<std::int64_t>(budget.rate.round_trip_us().value_or(0));
  if (now_us - budget.bulk_narrowed_us < round_trip_us + narrowing_us) return;
  budget.bulk_narrowed_us = now_us;
  budget.bulk_window = std::max(budget.bulk_window / 2, SendBudget::least_bulk_window_bytes);
}

/// Returns the largest chunk for a client. Over a narrow link, a long one delays the snapshots
/// behind it.
std::size_t BulkSender::chunk_bytes(const ClientSession& session) {
  if (session.state != ClientSessionState::Playing) return protocol::max_blob_chunk_bytes;
  return static_cast<std::size_t>(
      std::clamp(longest_chunk_seconds * session.budget.rate.bytes_per_second(), least_chunk_bytes,
                 static_cast<double>(protocol::max_blob_chunk_bytes)));
}

/// Returns true if a chunk must wait for the next snapshot of a client that plays over a narrow
/// link. Both then share a datagram: its headers take as many bytes as a small snapshot.
bool BulkSender::waits_for_snapshot(const ClientSession& session) const {
  const std::int64_t since_sent = now_ - session.snapshots.sent_tick;
  return is_thin(session) && since_sent > 0 && since_sent < most_waiting_ticks;
}

/// Returns false if the next blob is a keyframe. Later snapshots use it as their baseline, so it
/// must arrive while the snapshot history still stores its snapshot.
bool BulkSender::can_wait(const ClientSession& session) {
  return session.blobs.next_kind() != protocol::BlobKind::Keyframe;
}

/// Returns true if the next blob is a simulation state, and the client does not play yet.
bool BulkSender::must_wait(const ClientSession& session) {
  return session.state != ClientSessionState::Playing && !session.lockstep &&
         session.blobs.next_kind() == protocol::BlobKind::Simulation && !session.blobs.has_begun();
}

void BulkSender::send_to(ClientSession& session) {
  if (session.blobs.is_idle() && session.budget.pending_reliable_bytes == 0) return;
  std::size_t pending = note_acknowledged(session);
  if (session.blobs.is_idle()) return;
  // While the client plays, blobs must not delay its snapshots.
  const bool is_limited =
      session.state == ClientSessionState::Playing ||
      std::isfinite(session.most_bytes_per_second(options_.max_client_bytes_per_second));
  if (is_limited) refill_budget(session);
  for (int i = 0; i < chunks_per_tick && !session.blobs.is_idle(); ++i) {
    if (must_wait(session)) return;
    const bool yields = session.state == ClientSessionState::Playing && can_wait(session);
    const bool has_window = can_wait(session) || session.budget.rate.is_queued();
    const auto most_pending =
        has_window ? static_cast<std::size_t>(session.budget.bulk_window) : max_pending_bulk_bytes;
    if (is_limited && can_wait(session) && session.budget.bulk_bytes <= 0)
      return session.budget.rate.note_blobs_wait(io_.now_us());
    // Blobs and snapshots share a budget. If it is overdrawn, snapshots must not wait even longer.
    if (yields && session.budget.bytes < -static_cast<double>(chunk_bytes(session)))
      return session.budget.rate.note_blobs_wait(io_.now_us());
    if (yields && waits_for_snapshot(session)) return;
    if (pending > most_pending) {
      // While the client plays, the window says nothing about the rate.
      if (!yields) session.budget.rate.note_blobs_wait(io_.now_us());
      return;
    }
    if (const auto announcement = session.blobs.take_announcement())
      clients_.send_control(session, *announcement);
    const std::vector<std::byte> message =
        protocol::encode_chunk(session.blobs.take_chunk(chunk_bytes(session)));
    clients_.send(session.peer, net::Channel::Bulk, message);
    pending = session.budget.pending_reliable_bytes =
        transport_.pending_reliable_bytes(session.peer);
    if (!is_limited) continue;
    auto wire_bytes = static_cast<double>(message.size() + net::unreliable_datagram_bytes);
    if (yields && session.snapshots.sent_tick == now_) {
      const double saved =
          static_cast<double>(net::unreliable_datagram_bytes) - reliable_header_bytes;
      wire_bytes -= saved;
      session.budget.bytes += saved;
      session.budget.rate.note_shared(now_, wire_bytes);
    }
    session.budget.bulk_bytes -= wire_bytes;
    if (yields && is_thin(session)) return;
  }
}

}  // namespace jostle::server

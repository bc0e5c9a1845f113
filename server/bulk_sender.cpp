#include "server/bulk_sender.h"

#include "protocol/world_codec.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace jostle::server {
namespace {

/// Time that a chunk may take over the link of a client that plays, and the minimum of its size.
constexpr double longest_chunk_seconds = 0.03, least_chunk_bytes = 200;

}  // namespace

void BulkSender::send() {
  for (auto& [peer, session] : clients_)
    send_to(session);
}

/// Refills the blob budget of a rate-limited client: at the rate limit while the client joins, at
/// `bulk_share` of its current send rate while it plays.
void BulkSender::refill_budget(ClientSession& session) const {
  const double limit = session.most_bytes_per_second(options_.max_client_bytes_per_second);
  const double rate = session.state == ClientSessionState::Playing
                          ? bulk_share * std::min(limit, session.budget.rate.bytes_per_second())
                          : limit;
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
  if (pending < before)
    session.budget.rate.note_reliable(static_cast<double>(before - pending), io_.now_us());
  before = pending;
  return pending;
}

/// Returns the largest chunk for a client. Over a narrow link, a long one delays the snapshots
/// behind it.
std::size_t BulkSender::chunk_bytes(const ClientSession& session) {
  if (session.state != ClientSessionState::Playing) return protocol::max_blob_chunk_bytes;
  return static_cast<std::size_t>(
      std::clamp(longest_chunk_seconds * session.budget.rate.bytes_per_second(), least_chunk_bytes,
                 static_cast<double>(protocol::max_blob_chunk_bytes)));
}

/// Returns false if the next blob is a keyframe. Later snapshots use it as their baseline, so it
/// must arrive while the snapshot history still stores its snapshot.
bool BulkSender::can_wait(const ClientSession& session) {
  return session.blobs.next_kind() != protocol::BlobKind::Keyframe;
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
  const std::size_t most_pending = session.state == ClientSessionState::Playing && can_wait(session)
                                       ? max_playing_pending_bulk_bytes
                                       : max_pending_bulk_bytes;
  for (int i = 0; i < chunks_per_tick && !session.blobs.is_idle(); ++i) {
    if (is_limited && can_wait(session) && session.budget.bulk_bytes <= 0)
      return session.budget.rate.note_blobs_wait(io_.now_us());
    if (pending > most_pending) return;
    if (const auto announcement = session.blobs.take_announcement())
      clients_.send_control(session, *announcement);
    const std::vector<std::byte> message =
        protocol::encode_chunk(session.blobs.take_chunk(chunk_bytes(session)));
    clients_.send(session.peer, net::Channel::Bulk, message);
    pending = session.budget.pending_reliable_bytes =
        transport_.pending_reliable_bytes(session.peer);
    if (!is_limited) continue;
    const auto wire_bytes = static_cast<double>(message.size() + net::unreliable_datagram_bytes);
    session.budget.bulk_bytes -= wire_bytes;
    if (session.state == ClientSessionState::Playing) session.budget.spend(wire_bytes);
  }
}

}  // namespace jostle::server

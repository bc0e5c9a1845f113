#include "tools/link/snapshot_watch.h"

#include "protocol/snapshot_codec.h"
#include "protocol/visuals_codec.h"

#include <algorithm>
#include <limits>
#include <span>

namespace jostle::link {
namespace {

constexpr std::size_t ip_udp_header_bytes = 28;
/// Number of snapshots that are remembered: more than can be in flight.
constexpr std::size_t max_snapshots = 256;

}  // namespace

SnapshotWatch::SnapshotWatch(match::Match& match, match::Seat& seat, std::int64_t latency_us,
                             SnapshotFigures& figures)
    : match_(match), seat_(seat), latency_us_(latency_us), figures_(figures) {
  seat.transport->set_receive_listener(
      [this](net::PeerId, net::Channel channel, std::span<const std::byte> bytes) {
        if (channel != net::Channel::State) return;
        if (protocol::kind_of_state_message(bytes) != protocol::StateMessage::Snapshot) return;
        if (const auto message = protocol::decode_snapshot_message(bytes)) {
          note_received(message->header);
        }
      });
  seat.on_complete = [this](const protocol::QuantizedSnapshot& snapshot) {
    note_decoded(snapshot);
  };
  seat.on_update = [this] { note_shown(); };
}

void SnapshotWatch::start() {
  begin_ = match_.simulation().tick() + 1;
  end_ = {std::numeric_limits<std::uint32_t>::max()};
  is_running_ = true;
  started_us_ = newest_us_ = match_.network().now_us();
}

void SnapshotWatch::stop() {
  end_ = match_.simulation().tick() + 1;
  is_running_ = false;
  const std::int64_t now_us = match_.network().now_us();
  figures_.longest_gap_ms =
      std::max(figures_.longest_gap_ms, static_cast<double>(now_us - newest_us_) * 1e-3);
  figures_.seconds += static_cast<double>(now_us - started_us_) * 1e-6;
}

void SnapshotWatch::note_truth(state::Tick tick, std::uint64_t hash) {
  snapshots_[tick].hash = hash;
  if (snapshots_.size() > max_snapshots) snapshots_.erase(snapshots_.begin());
}

void SnapshotWatch::note_sent(const protocol::SnapshotHeader& header, std::size_t payload_bytes) {
  if (!counts(header.tick)) return;
  figures_.payload_bytes += payload_bytes;
  if (++snapshots_[header.tick].sent_parts == header.parts) ++figures_.sent;
}

void SnapshotWatch::note_datagram(std::size_t udp_payload_bytes) {
  if (is_running()) figures_.wire_bytes += udp_payload_bytes + ip_udp_header_bytes;
}

void SnapshotWatch::note_received(const protocol::SnapshotHeader& header) {
  const auto snapshot = snapshots_.find(header.tick);
  if (snapshot == snapshots_.end() || snapshot->second.parts[header.part]) return;
  snapshot->second.parts.set(header.part);
  if (counts(header.tick) && snapshot->second.parts.count() == header.parts) ++figures_.delivered;
}

void SnapshotWatch::note_decoded(const protocol::QuantizedSnapshot& snapshot) {
  if (counts(snapshot.tick)) {
    ++figures_.decoded;
    const auto truth = snapshots_.find(snapshot.tick);
    if (truth == snapshots_.end() || truth->second.hash != protocol::hash(snapshot)) {
      ++figures_.wrong;
    }
  }
  if (snapshot.tick <= newest_) return;
  newest_ = snapshot.tick;
  const std::int64_t now_us = match_.network().now_us();
  if (is_running()) {
    figures_.longest_gap_ms =
        std::max(figures_.longest_gap_ms, static_cast<double>(now_us - newest_us_) * 1e-3);
  }
  newest_us_ = now_us;
}

void SnapshotWatch::note_shown() {
  if (!is_running()) return;
  const double ticks_per_ms = 1e-3 * match_.simulation().options().tick_rate_hz;
  const double shown = seat_.client->shown_tick();
  const double delay_ms = (match_.true_tick() - shown) / ticks_per_ms;
  figures_.added_delay_ms.add(delay_ms - static_cast<double>(latency_us_) * 1e-3);
  ++figures_.looks;
  if (shown > static_cast<double>(newest_.number)) ++figures_.guesses;
}

}  // namespace jostle::link

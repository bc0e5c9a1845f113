#include "server/snapshot_sender.h"

#include "protocol/limits.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::server {
namespace {

/// Estimated bytes per awake body, until sizes have been measured.
constexpr double usual_body_bytes = 4.5;
/// Bytes that a message adds to a part's payload: headers of the snapshot, ENet, encryption, UDP
/// and IPv4.
constexpr double part_frame_bytes =
    protocol::max_snapshot_header_bytes + net::unreliable_datagram_bytes;
/// Maximum byte budget of a session, in snapshots at its rate. The size of one part is added to the
/// maximum.
constexpr double most_saved_snapshots = 2;
/// Minimum number of bodies of a snapshot with some of the bodies; see most_silent_ticks.
constexpr std::size_t least_bodies = 8;
/// Minimum payload of a snapshot with some of the bodies; see most_silent_ticks. On thin links it
/// is smaller, so that a snapshot takes at most `longest_transmission_seconds`.
constexpr double least_payload_bytes = 700, thin_payload_bytes = 150;
constexpr double longest_transmission_seconds = 0.05;
/// A snapshot below these minimum sizes is skipped if the last one was sent fewer ticks ago. While
/// the budget is overdrawn by more than such a snapshot, the second limit applies.
constexpr std::int64_t most_silent_ticks = 6, most_overdrawn_ticks = 15;
/// Minimum time without messages from a client after which the server sends to it less often,
/// because the client has stopped or its link is cut. If the client's messages arrive in bursts,
/// the time is longer: `more_gaps` times the usual gap between them.
constexpr double usual_silence_seconds = 0.1;
constexpr double more_gaps = 1.25;
/// Maximum number of bodies per session once the encoding time is used up.
constexpr std::size_t late_bodies = 64;
// An acknowledgement counts as missing after the sum of these two times.
constexpr double patience_round_trips = 1.5;  // in round-trip times of the session
constexpr double more_patience_ticks = 6;

std::vector<std::uint32_t> bodies_in(const std::vector<protocol::EncodedPart>& parts) {
  std::vector<std::uint32_t> bodies;
  for (const protocol::EncodedPart& part : parts) {
    bodies.insert(bodies.end(), part.chosen.begin(), part.chosen.end());
    for (std::uint32_t i = 0; part.chosen.empty() && i < part.count; ++i)
      bodies.push_back(part.first + i);
  }
  return bodies;
}

double with_frames(double payload_bytes) {
  const double parts =
      std::ceil(payload_bytes / static_cast<double>(protocol::max_part_payload_bytes()));
  return payload_bytes + std::max(parts, 1.0) * part_frame_bytes;
}

}  // namespace

void SnapshotSender::begin(Frame frame, const state::WorldDef& world) {
  frame_ = std::move(frame);
  coder_.begin(frame_.now, world,
               SnapshotEncoder::payload_room(frame_.teleports->has_any_after({})));
  seconds_ = frame_.ticks * frame_.tick_seconds;
  awake_ = static_cast<std::size_t>(
      std::count_if(coder_.now().bodies.begin(), coder_.now().bodies.end(),
                    [](const protocol::QuantizedBody& body) { return body.is_awake; }));
}

/// Estimates the size of the newest snapshot with all bodies.
double SnapshotSender::whole_bytes() const {
  const auto last = coder_.whole_bytes();
  return with_frames(last ? static_cast<double>(*last)
                          : usual_body_bytes * static_cast<double>(awake_));
}

double SnapshotSender::patience_ticks(const ClientSession& session) const {
  const double round_trip_ticks =
      session.budget.rate.round_trip_us().value_or(0) * 1e-6 / frame_.tick_seconds;
  return patience_round_trips * round_trip_ticks + more_patience_ticks;
}

/// Returns true if the newest acknowledged snapshot is so old that another acknowledgement is
/// overdue. Returns false before the first acknowledgement.
bool SnapshotSender::is_overdue(const ClientSession& session) const {
  const double age =
      static_cast<double>(coder_.now().tick - session.snapshots.baselines.newest_acknowledged());
  return session.budget.rate.round_trip_us() &&
         age > patience_ticks(session) + seconds_ / frame_.tick_seconds;
}

/// Returns true if a silent client must wait longer for its next snapshot. Snapshots for a silent
/// client probably do not arrive. As its baselines age, they also become larger and cannot be
/// shared with other clients. The interval between snapshots grows to half of the silence beyond
/// the usual one. The next message from the client restores the normal interval.
bool SnapshotSender::is_too_soon_for(const ClientSession& session) const {
  const state::Tick now = coder_.now().tick;
  const double silent =
      static_cast<double>(now - session.messages.last_heard) * frame_.tick_seconds;
  const double since_sent =
      static_cast<double>(now - session.snapshots.sent_tick) * frame_.tick_seconds;
  const double usual = std::max(usual_silence_seconds,
                                more_gaps * session.messages.usual_gap_ticks * frame_.tick_seconds);
  return since_sent < (silent - usual) / 2;
}

SnapshotSender::Sent SnapshotSender::send(ClientSession& session, net::Transport& transport,
                                          const SnapshotHistory& history) {
  if (coder_.now().tick - session.messages.last_heard < most_silent_ticks)
    session.budget.rate.note_heard(io_.now_us());
  session.budget.rate.advance(io_.now_us());
  const double rate = session.most_bytes_per_second(session.budget.rate.bytes_per_second());
  const bool has_radius = session.interest && session.interest->radius > 0;
  const bool is_precise = session.profile != protocol::Profile::Visual;
  const auto part_bytes = static_cast<double>(protocol::max_part_payload_bytes());
  const double most = most_saved_snapshots * rate * seconds_ +
                      (is_precise ? part_bytes
                                  : std::clamp(longest_transmission_seconds * rate,
                                               thin_payload_bytes + part_frame_bytes, part_bytes));
  session.budget.most_bytes = most;
  session.budget.bytes = std::min(session.budget.bytes + rate * seconds_, most);
  // A silent client or a probe says nothing about the rate.
  if (is_too_soon_for(session) || !session.budget.rate.may_send(io_.now_us()))
    return skip(session.snapshots);
  if (is_precise) return send_precisely(session, transport, rate);
  if (!has_radius && whole_bytes() <= session.budget.bytes)
    return send_whole(session, transport, history);
  return send_some(session, transport, history);
}

SnapshotSender::Sent SnapshotSender::send_whole(ClientSession& session, net::Transport& transport,
                                                const SnapshotHistory& history) {
  session.snapshots.priorities.end();
  // An encoding against old baselines is large and cannot be shared, so it must not use up the time
  // needed for responsive clients.
  const EncodedSnapshot& coded =
      coder_.whole(session.snapshots.baselines, history,
                   session.snapshots.uses_prediction_baseline ? frame_.baseline_predictor : nullptr,
                   is_overdue(session) ? Effort::Fast : Effort::Normal);
  session.snapshots.sent_whole = coder_.shared_now();
  return send_parts(session, transport, coded, false);
}

/// Returns the size of a snapshot with some of the bodies on a slow link, with its headers.
double SnapshotSender::usual_bytes(double rate) {
  return std::clamp(longest_transmission_seconds * rate, thin_payload_bytes + part_frame_bytes,
                    least_payload_bytes + part_frame_bytes);
}

/// Sends a snapshot in profile fine or lossless, with all bodies or not at all. If snapshots exceed
/// the link's rate, they are sent less often.
SnapshotSender::Sent SnapshotSender::send_precisely(ClientSession& session,
                                                    net::Transport& transport, double rate) {
  const auto usual = frame_.precise->usual_bytes(session.profile);
  const double expected = with_frames(static_cast<double>(usual.value_or(0)));
  const double waited =
      static_cast<double>(coder_.now().tick - session.snapshots.sent_tick) * frame_.tick_seconds;
  const bool is_due = expected <= session.budget.bytes || expected <= waited * rate;
  const EncodedSnapshot* const coded =
      is_due ? frame_.precise->coded(session.profile, session.snapshots.baselines,
                                     session.snapshots.precise_keyframe)
             : nullptr;
  if (coded == nullptr) return skip_for_rate(session.snapshots);
  session.snapshots.sent_whole = coder_.shared_now();
  return send_parts(session, transport, *coded, false);
}

SnapshotSender::Sent SnapshotSender::skip(SnapshotState& snapshots) {
  snapshots.skipped = static_cast<std::uint8_t>(std::min(snapshots.skipped + 1, 255));
  Sent sent;
  sent.is_none = true;
  return sent;
}

SnapshotSender::Sent SnapshotSender::skip_for_rate(SnapshotState& snapshots) {
  snapshots.is_rate_limited = true;
  return skip(snapshots);
}

SnapshotSender::Sent SnapshotSender::send_some(ClientSession& session, net::Transport& transport,
                                               const SnapshotHistory& history) {
  const protocol::QuantizedSnapshot& now = coder_.now();
  if (!session.snapshots.priorities.has_begun())
    session.snapshots.priorities.begin(*session.snapshots.sent_whole);
  const double body_bytes = session.snapshots.body_bytes.value_or(usual_body_bytes);
  const double payload = session.budget.bytes - part_frame_bytes;
  const double per_part = static_cast<double>(protocol::max_part_payload_bytes());
  const double affordable = payload / (body_bytes * (1 + part_frame_bytes / per_part));
  auto most = affordable > 0 ? static_cast<std::size_t>(affordable) : std::size_t{0};
  if (coder_.is_late()) most = std::min(most, late_bodies);
  // The headers of a part take as many bytes as several bodies, so on slow links a snapshot is sent
  // only every few ticks.
  const double rate = session.most_bytes_per_second(session.budget.rate.bytes_per_second());
  const bool is_thin = payload < usual_bytes(rate) - part_frame_bytes || most < least_bodies;
  const bool is_overdrawn = session.budget.bytes < -usual_bytes(rate);
  if (is_thin && now.tick - session.snapshots.sent_tick <
                     (is_overdrawn ? most_overdrawn_ticks : most_silent_ticks))
    return skip_for_rate(session.snapshots);

  const PriorityAccumulator::Choice choice = session.snapshots.priorities.pick(
      {&now, coder_.facts(), coder_.owners()},
      {.interest = session.interest ? &*session.interest : nullptr,
       .player = session.player,
       .acknowledged = session.snapshots.baselines.acknowledged(now),
       .patience_ticks = static_cast<std::uint32_t>(patience_ticks(session))},
      std::max(most, least_bodies));
  const EncodedSnapshot coded = coder_.some(
      choice.bodies, session.snapshots.baselines.runs(now, history, std::span(choice.bodies)),
      history);
  session.snapshots.priorities.note_sent(now, coder_.before(), bodies_in(*coded.parts));
  if (choice.changed >= least_bodies) {
    const double taken =
        static_cast<double>(coded.payload_bytes) / static_cast<double>(choice.changed);
    session.snapshots.body_bytes = body_bytes + (taken - body_bytes) / 8;
  }
  Sent sent = send_parts(session, transport, coded, choice.is_short);
  sent.is_some = true;
  return sent;
}

SnapshotSender::Sent SnapshotSender::send_parts(ClientSession& session, net::Transport& transport,
                                                const EncodedSnapshot& coded,
                                                bool is_rate_limited) {
  const std::vector<protocol::EncodedPart>& parts = *coded.parts;
  const std::int64_t now_us = io_.now_us();
  protocol::SnapshotHeader header;
  header.tick = coder_.now().tick;
  header.world_revision = coder_.now().world_revision;
  header.parts = static_cast<std::uint8_t>(parts.size());
  header.input_ack = session.inputs.newest();
  header.input_margin_ticks = session.inputs.margin_ticks();
  header.server_send_us = now_us;
  header.skipped = std::exchange(session.snapshots.skipped, std::uint8_t{0});
  Sent sent;
  // A client that has decoded a whole snapshot after a teleport knows the teleport.
  const state::Tick acknowledged = session.snapshots.baselines.newest_acknowledged();
  const bool has_teleports = frame_.teleports->has_any_after({});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    header.part = static_cast<std::uint8_t>(i);
    header.first = parts[i].first;
    header.count = parts[i].count;
    if (has_teleports) {
      header.teleports =
          frame_.teleports->of_part(parts[i], coder_.now().ids, header.tick,
                                    parts[i].chosen.empty() ? acknowledged : state::Tick{});
    }
    const std::vector<std::byte> message =
        protocol::encode_snapshot_message(header, coded.codec, parts[i].payload);
    sent.bytes += message.size();
    if (!transport.send(session.peer, net::Channel::State, message)) ++sent.failed;
  }
  const std::uint64_t wire_bytes = sent.bytes + parts.size() * net::unreliable_datagram_bytes;
  session.budget.spend(static_cast<double>(wire_bytes));
  session.snapshots.sent_tick = header.tick;
  // A skipped snapshot also means that more data would have been sent at a higher rate.
  is_rate_limited |= std::exchange(session.snapshots.is_rate_limited, false);
  session.budget.rate.note_sent(header.tick, static_cast<std::uint32_t>(parts.size()),
                                static_cast<std::uint32_t>(wire_bytes), is_rate_limited, now_us);
  session.snapshots.baselines.note_sent(header.tick, coded.parts);
  return sent;
}

}  // namespace jostle::server

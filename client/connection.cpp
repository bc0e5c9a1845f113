#include "client/connection.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace jostle::client {

using net::DisconnectReason;

namespace {

/// Time without an answer after which the first attempt is aborted and the next one begins. ENet
/// doubles the interval between its own retries, so a new attempt reaches a newly started server
/// sooner.
constexpr std::int64_t first_attempt_us = 1'000'000;
/// Maximum of this time, which grows by one second with each round over the addresses. Paths with a
/// high RTT need the longer attempts, because a handshake takes three round trips.
constexpr std::int64_t longest_attempt_us = 3'000'000;
/// Pause before the attempt that follows a loss or a failed attempt.
constexpr std::int64_t pause_between_attempts_us = 250'000;
/// Silence after which the connection counts as lost. A running server sends snapshots or answers
/// pings many times a second. The time is long, so that a server that stands still for 10 s finds
/// its clients connected.
constexpr std::int64_t max_silence_us = 12'000'000;
/// The same before the server has sent a part of its world: there is no game to lose.
constexpr std::int64_t max_joining_silence_us = 5'000'000;
/// Maximum silence counted per call of advance(). A longer pause means that this process was
/// suspended and could not receive anything.
constexpr std::int64_t max_silence_per_advance_us = 250'000;
constexpr std::int64_t close_timeout_us = 1'000'000;

/// Returns true if the server would refuse another attempt for the same reason.
bool is_final(DisconnectReason reason) {
  switch (reason) {
    case DisconnectReason::Requested:
    case DisconnectReason::ServerFull:
    case DisconnectReason::VersionMismatch:
    case DisconnectReason::Misbehaved:
    case DisconnectReason::Refused:
    case DisconnectReason::TokenRevoked:
      return true;
    case DisconnectReason::None:
    case DisconnectReason::TimedOut:
    case DisconnectReason::ServerShutdown:
    case DisconnectReason::HandshakeTimeout:
    case DisconnectReason::TooSlow:
      break;
  }
  return false;
}

std::string seconds(std::int64_t us) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%.3g s", static_cast<double>(us) * 1e-6);
  return text.data();
}

}  // namespace

Connection::Connection(net::Transport& transport, const Options& options)
    : transport_(transport),
      addresses_{options.server},
      connect_timeout_us_(options.connect_timeout_us),
      reconnect_timeout_us_(options.reconnect_timeout_us > 0 ? options.reconnect_timeout_us
                                                             : options.connect_timeout_us) {
  addresses_.insert(addresses_.end(), options.other_addresses.begin(),
                    options.other_addresses.end());
  words_ = "connecting to " + all_addresses();
}

std::string Connection::all_addresses() const {
  std::string all;
  for (const net::Address& each : addresses_)
    all += (all.empty() ? "" : ", ") + net::to_string(each);
  return all;
}

Connection::Change Connection::take(const net::PeerEvent& event, std::int64_t now_us) {
  if (!peer_ || event.peer != *peer_) return Change::None;
  if (event.kind != net::PeerEvent::Kind::Disconnected) silent_us_ = 0;
  switch (event.kind) {
    case net::PeerEvent::Kind::Received:
      return phase_ == Phase::Up ? Change::Message : Change::None;
    case net::PeerEvent::Kind::Connected:
      if (phase_ != Phase::Dialing) return Change::None;
      phase_ = Phase::Up;
      has_progressed_ = false;
      lost_us_.reset();
      words_.clear();
      return Change::Up;
    case net::PeerEvent::Kind::Disconnected: {
      peer_.reset();
      const bool was_up = phase_ == Phase::Up;
      if (phase_ == Phase::Closing) {
        phase_ = Phase::Over;
      } else if (event.reason == DisconnectReason::Refused) {
        fail("the server at " + net::to_string(address()) + " " + event.text,
             DisconnectReason::None, failure_of(event.refusal));
      } else if (was_up && event.reason == DisconnectReason::Requested) {
        // The server gives this reason only if a client with the same reconnect token has joined.
        fail("another client has reconnected as this player", DisconnectReason::None,
             failure_of(event.reason));
      } else if (is_final(event.reason)) {
        fail("the server closed the connection: " + std::string(net::describe(event.reason)),
             DisconnectReason::None, failure_of(event.reason));
      } else if (was_up) {
        lose(event.reason, std::string(net::describe(event.reason)), now_us);
      } else {
        trouble_ = event.text;
        try_next_address();
        dial_at_us_ = now_us + pause_between_attempts_us;
      }
      return was_up ? Change::Lost : Change::None;
    }
  }
  return Change::None;
}

void Connection::lose(DisconnectReason reason, std::string why, std::int64_t now_us) {
  phase_ = Phase::Dialing;
  lost_by_ = reason;
  lost_us_ = now_us;
  silent_before_loss_us_ = silent_us_;
  why_lost_ = std::move(why);
  attempts_ = 0;
  // After a timeout, the client has already waited.
  dial_at_us_ = now_us + (reason == DisconnectReason::TimedOut ? 0 : pause_between_attempts_us);
  words_ =
      "connection lost (" + why_lost_ + "), connecting to " + net::to_string(address()) + " again";
}

void Connection::start_over(std::string why, std::int64_t now_us) {
  if (phase_ != Phase::Up) return;
  // The server keeps the reconnect slot only for reason TimedOut.
  transport_.drop(*peer_, DisconnectReason::TimedOut);
  peer_.reset();
  lose(DisconnectReason::TimedOut, std::move(why), now_us);
}

Connection::Change Connection::advance(std::int64_t now_us) {
  if (!progress_us_) progress_us_ = advanced_to_us_ = now_us;
  const std::int64_t elapsed_us = now_us - std::exchange(advanced_to_us_, now_us);
  silent_us_ += std::min(elapsed_us, max_silence_per_advance_us);
  // Time in which this process was suspended does not count, neither as silence nor as lack of
  // progress.
  if (phase_ == Phase::Up && elapsed_us > max_silence_per_advance_us)
    *progress_us_ += elapsed_us - max_silence_per_advance_us;

  switch (phase_) {
    case Phase::Dialing:
      if (now_us - *progress_us_ >= patience_us()) {
        give_up();
      } else if (peer_ && now_us >= attempt_ends_us_ && !transport_.has_answered(*peer_)) {
        trouble_ = transport_.trouble_with(*peer_);
        transport_.drop(*peer_, DisconnectReason::None);
        peer_.reset();
        try_next_address();
        dial(now_us);
      } else if (!peer_ && now_us >= dial_at_us_) {
        dial(now_us);
      }
      return Change::None;
    case Phase::Up:
      if (now_us - *progress_us_ >= patience_us() && silent_us_ < most_silence_us()) {
        fail("the server at " + net::to_string(address()) + " did not send its world within " +
                 seconds(patience_us()),
             DisconnectReason::Requested, Failure::NoWorld);
        return Change::Lost;
      }
      if (silent_us_ < most_silence_us()) return Change::None;
      transport_.drop(*peer_, DisconnectReason::TimedOut);
      peer_.reset();
      lose(DisconnectReason::TimedOut, std::string(net::describe(DisconnectReason::TimedOut)),
           now_us);
      return Change::Lost;
    case Phase::Closing:
      if (now_us < close_ends_us_) return Change::None;
      if (peer_) transport_.drop(*peer_, DisconnectReason::Requested);
      peer_.reset();
      phase_ = Phase::Over;
      return Change::None;
    case Phase::Over:
      break;
  }
  return Change::None;
}

std::int64_t Connection::most_silence_us() const {
  return has_progressed_ ? max_silence_us : max_joining_silence_us;
}

void Connection::try_next_address() {
  at_ = (at_ + 1) % addresses_.size();
}

void Connection::dial(std::int64_t now_us) {
  peer_ = transport_.connect(address());
  if (!peer_) {
    try_next_address();
    dial_at_us_ = now_us + pause_between_attempts_us;
    return;
  }
  silent_us_ = 0;
  const auto rounds = attempts_++ / static_cast<std::int64_t>(addresses_.size());
  attempt_ends_us_ = now_us + std::min(first_attempt_us * (1 + rounds), longest_attempt_us);
}

void Connection::give_up() {
  const std::string server = why_lost_.empty() ? all_addresses() : net::to_string(address());
  const std::string time = seconds(patience_us());
  if (peer_) trouble_ = transport_.trouble_with(*peer_);
  const std::string what = why_lost_.empty() ? "no answer from " + server + " within " + time
                                             : "connection to " + server + " lost (" + why_lost_ +
                                                   ") and not re-established within " + time;
  fail(trouble_.empty() ? what : what + ": " + trouble_, DisconnectReason::None,
       why_lost_.empty() ? Failure::NoAnswer : failure_of(lost_by_));
}

void Connection::fail(std::string words, DisconnectReason reason, Failure failure) {
  if (phase_ == Phase::Over) return;
  if (peer_) transport_.drop(*peer_, reason);
  peer_.reset();
  phase_ = Phase::Over;
  failure_ = failure;
  lost_us_.reset();
  words_ = std::move(words);
}

void Connection::try_again(std::int64_t now_us) {
  if (phase_ != Phase::Over || !has_failed()) return;
  phase_ = Phase::Dialing;
  failure_ = Failure::None;
  why_lost_.clear();
  trouble_.clear();
  attempts_ = 0;
  progress_us_ = advanced_to_us_ = dial_at_us_ = now_us;
  words_ = "connecting to " + all_addresses();
}

std::optional<net::PeerIdentity> Connection::server() const {
  return phase_ == Phase::Up ? transport_.identity(*peer_) : std::nullopt;
}

bool Connection::send(net::Channel channel, std::span<const std::byte> bytes) {
  return phase_ == Phase::Up && transport_.send(*peer_, channel, bytes);
}

void Connection::close(std::int64_t now_us) {
  if (phase_ == Phase::Up) {
    transport_.disconnect(*peer_, DisconnectReason::Requested);
    phase_ = Phase::Closing;
    close_ends_us_ = now_us + close_timeout_us;
  } else if (phase_ == Phase::Dialing) {
    if (peer_) transport_.drop(*peer_, DisconnectReason::Requested);
    peer_.reset();
    phase_ = Phase::Over;
  }
}

}  // namespace jostle::client

#pragma once

#include "client/client.h"
#include "shared/net/transport.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::client {

/// Connection to the server that is re-established after a loss. The class tries the server's
/// addresses in turn until one answers. It gives up after `connect_timeout_us` without progress, or
/// after `reconnect_timeout_us` if a connection was lost before. It does not interpret messages.
///
///   Dialing -> Up -> Dialing ...   connected, lost, connected again ...
///   any     -> Over                fail(), a final reason, or no progress before the timeout
///   Up      -> Closing -> Over     close()
///   Dialing -> Over                close()
class Connection {
 public:
  Connection(net::Transport& transport, const Options& options);

  enum class Phase : std::uint8_t { Dialing, Up, Closing, Over };
  Phase phase() const { return phase_; }

  enum class Change : std::uint8_t { None, Up, Lost, Message };
  /// Processes an event of the transport. Returns Up if the event established the connection, Lost
  /// if it ended an established connection, Message for a message from the server, else None.
  Change take(const net::PeerEvent& event, std::int64_t now_us);
  /// Dials if an attempt is due, and gives up after the timeout. Returns Lost if this call ended an
  /// established connection: the server has been silent for 12 s, or for 5 s before it sent its
  /// world, or did not send its world before the timeout.
  Change advance(std::int64_t now_us);

  /// Records progress, which restarts the timeout. Call it when the client has come closer to
  /// playing, and while it plays.
  void note_progress(std::int64_t now_us) {
    progress_us_ = now_us;
    has_progressed_ = true;
  }

  /// Returns the address of the server; while dialing, the address that is being tried.
  net::Address address() const { return addresses_[at_]; }
  /// Returns the server's identity; nothing while there is no connection.
  std::optional<net::PeerIdentity> server() const;
  /// Sends a message. Returns false if there is no connection or its queue is full.
  bool send(net::Channel channel, std::span<const std::byte> bytes);
  /// Drops an established connection whose server answers but sends nothing usable, and dials
  /// again. `why` becomes part of text().
  void start_over(std::string why, std::int64_t now_us);
  /// Ends the connection until try_again() is called. `reason` is sent to the server, `words`
  /// becomes text(), `failure` becomes failure().
  void fail(std::string words, net::DisconnectReason reason, Failure failure);
  /// Dials again after a failure, as if for the first time. Without a failure it does nothing.
  void try_again(std::int64_t now_us);
  void close(std::int64_t now_us);

  /// Returns the text for the user: why the client is dialing, or why the connection has ended.
  /// Empty while connected.
  const std::string& text() const { return words_; }
  bool has_failed() const { return failure_ != Failure::None; }
  Failure failure() const { return failure_; }
  /// Returns the time at which the connection was lost, while it is being re-established; null
  /// otherwise.
  std::optional<std::int64_t> lost_us() const { return lost_us_; }
  /// Returns the time since the last packet from the server, including the time before a loss was
  /// detected. While connected, a pause between two calls of advance() counts as at most 250 ms.
  std::int64_t silence_us(std::int64_t now_us) const {
    return lost_us_ ? now_us - *lost_us_ + silent_before_loss_us_ : silent_us_;
  }

 private:
  void dial(std::int64_t now_us);
  void try_next_address();
  void lose(net::DisconnectReason reason, std::string why, std::int64_t now_us);
  void give_up();
  std::int64_t most_silence_us() const;
  /// Returns the maximum time without progress.
  std::int64_t patience_us() const {
    return why_lost_.empty() ? connect_timeout_us_ : reconnect_timeout_us_;
  }
  std::string all_addresses() const;

  net::Transport& transport_;
  std::vector<net::Address> addresses_;
  std::size_t at_ = 0;  // index in addresses_
  std::int64_t connect_timeout_us_ = 0, reconnect_timeout_us_ = 0;

  Phase phase_ = Phase::Dialing;
  std::optional<net::PeerId> peer_;
  Failure failure_ = Failure::None;
  std::string words_;
  bool has_progressed_ = false;              // on this connection
  std::optional<std::int64_t> progress_us_;  // null before the first advance()
  std::string trouble_;                      // error of the last attempt, if known
  std::string why_lost_;                     // empty: no connection has been lost
  net::DisconnectReason lost_by_ = net::DisconnectReason::None;
  std::optional<std::int64_t> lost_us_;
  std::int64_t silent_before_loss_us_ = 0;
  std::int64_t dial_at_us_ = 0;
  std::int64_t attempt_ends_us_ = 0;
  int attempts_ = 0;
  std::int64_t advanced_to_us_ = 0;
  std::int64_t silent_us_ = 0;
  std::int64_t close_ends_us_ = 0;
};

}  // namespace jostle::client

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

/// Reaches the server and keeps it: dials until it answers, at its other addresses in turn where it
/// has such, dials again when it is lost, gives up `connect_timeout_us` after the last sign of
/// progress, or `regain_timeout_us` where it stood before. Knows nothing of what messages mean.
///
///   Dialing -> Up -> Dialing ...   while there is hope
///   any     -> Over                fail(), hopeless reasons, no progress for too long
///   Up      -> Closing -> Over     close()
class Connection {
 public:
  Connection(net::Transport& transport, const Options& options);

  enum class Phase : std::uint8_t { Dialing, Up, Closing, Over };
  Phase phase() const { return phase_; }

  enum class Change : std::uint8_t { None, Up, Lost, Message };
  /// An event of the transport. Message: it is from the server.
  Change take(const net::PeerEvent& event, std::int64_t now_us);
  /// Dials when it is time to and gives up when there is no hope. Lost: the server was silent for
  /// too long.
  Change advance(std::int64_t now_us);

  /// Something came that brings the client closer to playing, or it plays.
  void note_progress(std::int64_t now_us) { progress_us_ = now_us; }

  /// Where it is, or is looked for now.
  net::Address address() const { return addresses_[at_]; }
  /// Who is at the other end; nothing while there is no connection.
  std::optional<net::PeerIdentity> server() const;
  /// False when there is no connection or its queue is full.
  bool send(net::Channel channel, std::span<const std::byte> bytes);
  /// Leaves a server that answers but does not do its job, and dials it again.
  void start_over(std::string why, std::int64_t now_us);
  /// Ends for good, because of `words`.
  void fail(std::string words, net::DisconnectReason reason, Failure failure);
  /// Dials again after it has failed, as if for the first time.
  void try_again(std::int64_t now_us);
  void close(std::int64_t now_us);

  /// What to tell people: why it is dialing, or why it is over. Empty while all is well.
  const std::string& words() const { return words_; }
  bool has_failed() const { return failure_ != Failure::None; }
  Failure failure() const { return failure_; }
  /// When the connection was lost that is to be regained; nothing where none was, or it is back.
  std::optional<std::int64_t> lost_us() const { return lost_us_; }
  /// For how long nothing has come from the server, also before the loss was noticed; time in which
  /// nobody looked does not count.
  std::int64_t silence_us(std::int64_t now_us) const {
    return lost_us_ ? now_us - *lost_us_ + silent_before_loss_us_ : silent_us_;
  }

 private:
  void dial(std::int64_t now_us);
  void try_next_address();
  void lose(net::DisconnectReason reason, std::string why, std::int64_t now_us);
  void give_up();
  /// Since the last progress.
  std::int64_t patience_us() const {
    return why_lost_.empty() ? connect_timeout_us_ : regain_timeout_us_;
  }
  std::string all_addresses() const;

  net::Transport& transport_;
  std::vector<net::Address> addresses_;
  std::size_t at_ = 0;  // in addresses_
  std::int64_t connect_timeout_us_ = 0, regain_timeout_us_ = 0;

  Phase phase_ = Phase::Dialing;
  std::optional<net::PeerId> peer_;
  Failure failure_ = Failure::None;
  std::string words_;
  std::optional<std::int64_t> progress_us_;  // none before the first advance()
  std::string trouble_;                      // that the last attempt had, where something is known
  std::string why_lost_;                     // empty: there was no connection yet
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

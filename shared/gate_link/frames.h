#pragma once

#include "shared/gate_link/entry.h"
#include "shared/net/address.h"
#include "shared/net/peer_identity.h"
#include "shared/net/transport.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

// The frames on the Unix socket between the gate and a server. Each frame has a length (u32), a
// kind (u8) and content. All numbers are little-endian.

namespace jostle::gate_link {

inline constexpr std::uint16_t link_version = 2;
/// Maximum size of a frame without its length, in bytes: a reliable message with its head.
inline constexpr std::size_t max_frame_bytes = net::max_reliable_bytes + 1'024;
/// Maximum length of texts in frames, in bytes.
inline constexpr std::size_t max_frame_text_bytes = 512;

/// The number that the gate gives a viewer. A gate does not use a number twice on one connection.
struct ViewerId {
  std::uint32_t value = 0;
  constexpr auto operator<=>(const ViewerId&) const = default;
};

// From the gate.

/// The first frame of a gate. `url` is the address of its page, for display.
struct GateHello {
  std::uint16_t version = link_version;
  std::string url{};
  bool operator==(const GateHello&) const = default;
};
/// A viewer asks for entry. `address` is the viewer's own one.
struct ViewerConnect {
  ViewerId viewer;
  net::Address address;
  EntryRequest request;
  bool operator==(const ViewerConnect&) const = default;
};
/// A viewer has left, or the gate has closed its connection as the server asked.
struct ViewerGone {
  ViewerId viewer;
  net::DisconnectReason reason = net::DisconnectReason::TimedOut;
  bool operator==(const ViewerGone&) const = default;
};
/// The viewer has received all reliable messages up to a sum of their sizes.
struct ViewerAcknowledged {
  ViewerId viewer;
  std::uint64_t reliable_bytes = 0;
  std::uint32_t round_trip_us = 0;  // of the last measurement; 0: none yet
  bool operator==(const ViewerAcknowledged&) const = default;
};
/// The gate asks to watch, so that it can code the snapshots for viewers that only watch. The
/// server admits it as a spectator while it has admitted another viewer of this gate.
struct GateWatch {
  ViewerId viewer;
  bool operator==(const GateWatch&) const = default;
};
/// The gate itself serves an admitted viewer from now on: the server ends its session. The
/// admission remains, so that the server can close the connection.
struct ViewerHandedOver {
  ViewerId viewer;
  bool operator==(const ViewerHandedOver&) const = default;
};

// From the server.

/// The first frame of a server.
struct ServerHello {
  std::uint16_t version = link_version;
  bool operator==(const ServerHello&) const = default;
};
/// A viewer is admitted.
struct ViewerAdmitted {
  ViewerId viewer;
  net::PeerIdentity identity;
};
/// The gate closes a viewer's connection.
struct CloseViewer {
  ViewerId viewer;
  std::uint16_t code = 0;     // close code of the WebSocket
  bool is_immediate = false;  // false: after all reliable messages have been sent
  std::string text{};
  bool operator==(const CloseViewer&) const = default;
};
/// The unreliable messages since the last one of these frames belong together: a newer group
/// replaces an older one that waits.
struct EndOfGroup {
  bool operator==(const EndOfGroup&) const = default;
};

// In both directions.

/// A message from or to a viewer.
struct LinkMessage {
  ViewerId viewer;
  net::Channel channel = net::Channel::Control;
  std::span<const std::byte> bytes{};  // valid until the buffer of the frame changes
};

using GateFrame = std::variant<GateHello, ViewerConnect, ViewerGone, ViewerAcknowledged, GateWatch,
                               ViewerHandedOver, LinkMessage>;
using ServerFrame = std::variant<ServerHello, ViewerAdmitted, CloseViewer, EndOfGroup, LinkMessage>;

/// Appends a frame with its length to `out`.
void append_frame(std::vector<std::byte>& out, const GateFrame& frame);
void append_frame(std::vector<std::byte>& out, const ServerFrame& frame);

/// Decode a frame without its length. Return nothing if it is malformed.
std::optional<GateFrame> decode_gate_frame(std::span<const std::byte> bytes);
std::optional<ServerFrame> decode_server_frame(std::span<const std::byte> bytes);

/// Splits a byte stream into frames.
class FrameBuffer {
 public:
  /// Appends received bytes.
  void add(std::span<const std::byte> bytes);
  /// Returns the next complete frame without its length, or nothing. The frame is valid until the
  /// next call of add().
  std::optional<std::span<const std::byte>> next();
  /// Returns true if the stream announced a frame that is empty or too long. It cannot be read on.
  bool is_broken() const { return is_broken_; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t read_ = 0;
  bool is_broken_ = false;
};

}  // namespace jostle::gate_link

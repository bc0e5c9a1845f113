#pragma once

#include "shared/base/result.h"
#include "shared/crypto/x25519.h"
#include "shared/secure/handshake_wire.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::lan {

// The two datagrams by which servers of a local network are found; docs/SECURITY.md has their
// layout. Nothing in them is sealed or signed: whoever is on the link may read and forge them. They
// say where one may knock; who is there, the handshake tells.

/// As long as a datagram may be, so that no answer is longer than a fifth of what asked for it.
inline constexpr std::size_t probe_bytes = secure::max_datagram_bytes;
inline constexpr std::size_t max_name_bytes = 64, max_scene_bytes = 64;
inline constexpr std::size_t answer_head_bytes = 85;
inline constexpr std::size_t max_answer_bytes =
    answer_head_bytes + max_name_bytes + max_scene_bytes;
static_assert(max_answer_bytes * 5 <= probe_bytes);

/// "Is there a server?"
struct Probe {
  std::uint64_t nonce = 0;  // random; the answer repeats it
};

/// What a program speaks: two that differ in any of it do not understand each other.
struct Speech {
  std::uint16_t sealing = secure::handshake_version;  // of datagrams
  std::uint16_t major = 0, minor = 0;                 // of the protocol; minor ones may differ
  std::uint64_t schema = 0, priors = 0;               // hashes
};
bool understand_each_other(const Speech& a, const Speech& b);

/// What a server tells of itself.
struct Facts {
  std::uint16_t port = 0;  // of the game; not 0
  secure::AccessMode access = secure::AccessMode::Open;
  Speech speech;
  std::uint16_t players = 0, places = 0;
  crypto::PublicKey key{};
  std::string name, scene;  // that may stand in a line
};

/// "Here is one."
struct Answer {
  std::uint64_t nonce = 0;
  std::uint64_t instance = 0;  // drawn when a server starts: it may answer over several ways
  Facts facts;
};

enum class Fault : std::uint8_t {
  WrongLength,
  NotOurs,      // it does not begin as these datagrams do
  OtherKind,    // a probe where an answer is expected, or the reverse
  OtherLayout,  // of a later version
  NotZero,      // where nothing is said
  NoPort,
  UnknownAccess,
  BadText,  // too long, or what may not stand in a line
};
std::string_view describe(Fault fault);

/// As much of a text as a datagram takes, escaped where it may not stand in a line.
std::string fitted(std::string_view text, std::size_t max_bytes);

std::vector<std::byte> encode(const Probe& probe);
/// Contract: a port, and texts that fitted() has made.
std::vector<std::byte> encode(const Answer& answer);
base::Result<Probe, Fault> decode_probe(std::span<const std::byte> bytes);
base::Result<Answer, Fault> decode_answer(std::span<const std::byte> bytes);

}  // namespace jostle::lan

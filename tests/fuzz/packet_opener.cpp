// Fuzzes SealedLink::take with established sessions and open dials: arbitrary bytes, correctly
// sealed datagrams, and sealed datagrams with one chosen flaw. A model that knows the keys predicts
// each verdict.
#include "shared/base/assert.h"
#include "shared/base/bytes.h"
#include "shared/base/hash.h"
#include "shared/net/sealed_link.h"
#include "shared/net/virtual_network.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/net/keeping_socket.h"
#include "tests/secure/seeded_random.h"

#include <algorithm>
#include <set>

namespace jostle::fuzz::fuzz_packet_opener {
namespace {

using net::DatagramVerdict;

constexpr net::Address places[] = {{.ip = 0x0A000101, .port = 1'001},
                                   {.ip = 0x0A000102, .port = 1'002},
                                   {.ip = 0x0A000103, .port = 1'003},
                                   {.ip = 0x0A000104, .port = 1'004}};
constexpr std::size_t place_count = std::size(places);
constexpr std::size_t max_steps = 32;
constexpr std::uint64_t window = secure::ReplayWindow::size;

/// The other end of a session, and the model of its replay window.
struct Peer {
  std::uint32_t session = 0;
  crypto::AeadKey to_link, from_link;
  bool is_ours = false;  // true if the link made the connection
  net::Address address;
  // A run chooses its sequence numbers around `base`. `newest` does not start at 0, so that there
  // are smaller numbers.
  std::uint64_t base = 0, newest = 1U << 20;
  std::set<std::uint64_t> seen{};  // numbers used in this run

  bool is_new(std::uint64_t number) const {
    return number > newest || (newest - number < window && !seen.contains(number));
  }
};

/// A link with two incoming sessions, one outgoing session, and two unfinished dials: one waits for
/// a cookie, the other for the answer to its AUTH.
class World {
 public:
  World()
      : network_(7),
        io_(network_.node(0x0A000001)),
        link_(io_, counters_, {.security = {}, .max_sessions = 8, .limits = {}}) {
    peers_.push_back(admit(places[0], 1));
    peers_.push_back(admit(places[1], 2));
    secure::HandshakeResponder responder({.key = key_of(3)}, secure::seeded(4));
    peers_.push_back(dial_to(responder, places[2]));
    (void)link_.dial(places[3]);
    open_nonce_ = nonce_of_greeting();
    secure::HandshakeResponder silent({.key = key_of(5)}, secure::seeded(6));
    (void)link_.dial(places[3]);
    prove_to(silent);
    sessions_ = link_.session_count();
  }

  /// Resets the state that a run depends on, except the time and the sequence numbers. The `base`
  /// of each peer is more than a replay window above all numbers that earlier runs used.
  void begin_run(bool may_spend) {
    may_spend_ = may_spend;
    network_.advance(10'000'000);
    for (Peer& peer : peers_) {
      peer.base = (peer.newest / stride + 2) * stride;
      peer.seen.clear();
      const std::size_t home = static_cast<std::size_t>(&peer - peers_.data());
      deliver_right(home, peer.base, {}, home);
    }
  }
  bool is_spent() const { return is_spent_; }

  void step(FuzzInput& input) {
    switch (input.choice(may_spend_ ? 10 : 8)) {
      case 0:
        return stray(input);
      case 1: {
        const std::size_t peer = input.choice(peers_.size()), place = input.choice(place_count);
        const std::uint64_t number = number_of(peer, input);
        return deliver_right(peer, number, input.block(), place);
      }
      case 2:
        return flawed(input);
      case 3:
        return reflected(input);
      case 4:
        return pretended(input);
      case 5:
        return network_.advance(std::int64_t{input.u16()} * 1'000);
      case 6:
        return greeting(input);
      case 7:
        return again(input);
      case 8:
        return answered(input);
      case 9:
        return rare(input);
    }
  }

 private:
  // The replay window is a ring of 17 words of 64 bits. Numbers that differ by a multiple of the
  // stride use the same bit.
  static constexpr std::uint64_t stride = 64 * 17;

  static crypto::KeyPair key_of(std::uint64_t seed) {
    return crypto::key_pair(secure::seeded(seed));
  }

  Peer admit(net::Address from, std::uint64_t seed) {
    secure::HandshakeInitiator initiator({.own = key_of(10 + seed)}, secure::seeded(20 + seed));
    for (int i = 0; i < 2; ++i) {
      auto datagram = initiator.next_datagram(io_.now_us());
      JOSTLE_ASSERT(datagram);
      JOSTLE_ASSERT(link_.take(socket_, *datagram, from).verdict == DatagramVerdict::Handshake);
      link_.advance(socket_);
      for (const net::KeepingSocket::Sent& sent : socket_.take())
        initiator.take(sent.bytes, io_.now_us());
    }
    JOSTLE_ASSERT(initiator.state() == secure::HandshakeInitiator::State::Admitted);
    const secure::HandshakeInitiator::Session& session = initiator.session();
    link_.keep(session.number);
    return {.session = session.number,
            .to_link = session.keys.from_initiator,
            .from_link = session.keys.from_responder,
            .address = from};
  }

  std::uint64_t nonce_of_greeting() {
    link_.advance(socket_);
    const auto sent = socket_.take();
    JOSTLE_ASSERT(!sent.empty());
    const auto hello = secure::decode_hello(sent.back().bytes);
    JOSTLE_ASSERT(hello);
    return hello->nonce;
  }

  /// Answers the HELLO of the newest dial. Returns the dial's AUTH.
  std::vector<std::byte> prove_to(secure::HandshakeResponder& responder) {
    proving_nonce_ = nonce_of_greeting();
    auto cookie = responder.answer_hello(encode(secure::Hello{.nonce = proving_nonce_}), {}, 0);
    JOSTLE_ASSERT(cookie);
    JOSTLE_ASSERT(link_.take(socket_, *cookie, {}).verdict == DatagramVerdict::Handshake);
    link_.advance(socket_);
    return socket_.take().back().bytes;
  }

  Peer dial_to(secure::HandshakeResponder& responder, net::Address place) {
    (void)link_.dial(place);
    const std::vector<std::byte> proof = prove_to(responder);
    const auto auth = responder.check_cookie(proof, {}, 0);
    JOSTLE_ASSERT(auth);
    auto candidate = responder.read(*auth);
    JOSTLE_ASSERT(candidate);
    constexpr std::uint32_t number = 77;
    auto answer = responder.answer(*candidate, *auth, {.session = number});
    JOSTLE_ASSERT(answer);
    JOSTLE_ASSERT(link_.take(socket_, answer->datagram, place).verdict ==
                  DatagramVerdict::Handshake);
    JOSTLE_ASSERT(link_.take_outcomes().size() == 1);
    return {.session = number,
            .to_link = answer->keys.from_responder,
            .from_link = answer->keys.from_initiator,
            .is_ours = true,
            .address = place};
  }

  std::uint64_t number_of(std::size_t peer, FuzzInput& input) const {
    const std::uint64_t base = peers_[peer].base;
    if (input.choice(8) == 0)
      return base + (may_spend_ ? std::min(input.u64(), UINT64_MAX - base) : input.u32());
    const auto offset = static_cast<std::int16_t>(input.u16());
    return base + static_cast<std::uint64_t>(std::int64_t{offset});
  }

  static std::vector<std::byte> sealed(const crypto::AeadKey& key, std::uint32_t session,
                                       std::uint64_t number, std::span<const std::byte> text) {
    base::ByteWriter writer;
    writer.u8(static_cast<std::uint8_t>(secure::DatagramType::Sealed));
    writer.u32(session);
    writer.u64(number);
    writer.raw(text);
    std::vector<std::byte> bytes = writer.take();
    bytes.resize(bytes.size() + crypto::aead_tag_bytes);
    const std::span<std::byte> all(bytes);
    crypto::aead_encrypt(key, number, all.first(secure::sealed_head_bytes),
                         all.subspan(secure::sealed_head_bytes));
    return bytes;
  }

  /// Passes a datagram to the link. Checks that the link answers only the sender, with at most a
  /// fifth of the bytes of the datagram.
  net::SealedLink::Taken take(std::span<std::byte> datagram, net::Address from) {
    const auto taken = link_.take(socket_, datagram, from);
    std::size_t answered = 0;
    for (const net::KeepingSocket::Sent& sent : socket_.take()) {
      JOSTLE_ASSERT(sent.to == from);
      answered += sent.bytes.size();
    }
    JOSTLE_ASSERT(answered * 5 <= datagram.size());
    if (taken.verdict == DatagramVerdict::Accepted) JOSTLE_ASSERT(answered == 0);
    return taken;
  }

  /// Delivers a datagram that must be rejected. Checks that all sessions and their addresses are
  /// unchanged.
  DatagramVerdict take_refused(std::span<const std::byte> bytes, std::size_t place) {
    std::vector<std::byte> datagram = copy_of(bytes);
    const auto taken = take(datagram, places[place]);
    JOSTLE_ASSERT(taken.verdict != DatagramVerdict::Accepted);
    JOSTLE_ASSERT(taken.session == 0 && taken.bytes.empty());
    check_standing();
    // If a dial accepted the datagram as an answer, the world cannot be reused.
    const bool is_answer = !bytes.empty() && (bytes[0] == std::byte{2} || bytes[0] == std::byte{4});
    if (taken.verdict == DatagramVerdict::Handshake && is_answer) is_spent_ = true;
    return taken.verdict;
  }

  void check_standing() const {
    JOSTLE_ASSERT(link_.session_count() == sessions_);
    for (const Peer& peer : peers_) {
      const net::Address* const address = link_.address_of(peer.session);
      JOSTLE_ASSERT((address != nullptr) == (peer.session != closed_));
      if (address != nullptr) JOSTLE_ASSERT(*address == peer.address);
    }
  }

  void deliver_right(std::size_t at, std::uint64_t number, std::span<const std::byte> text,
                     std::size_t place) {
    Peer& peer = peers_[at];
    std::vector<std::byte> datagram = sealed(peer.to_link, peer.session, number, text);
    last_ = datagram;
    const auto taken = take(datagram, places[place]);
    if (peer.session == closed_) {
      JOSTLE_ASSERT(taken.verdict == DatagramVerdict::UnknownSession);
    } else if (!peer.is_new(number)) {
      JOSTLE_ASSERT(taken.verdict == DatagramVerdict::Replayed);
    } else {
      // Path challenges and path responses are not passed to ENet.
      const bool is_for_enet = !net::path_text_kind(text);
      JOSTLE_ASSERT(taken.verdict ==
                    (is_for_enet ? DatagramVerdict::Accepted : DatagramVerdict::Handshake));
      if (is_for_enet) {
        JOSTLE_ASSERT(taken.session == peer.session);
        JOSTLE_ASSERT(std::ranges::equal(taken.bytes, text));
        JOSTLE_ASSERT(taken.bytes.data() == datagram.data() + secure::sealed_head_bytes);
      }
      peer.seen.insert(number);
      if (number > peer.newest && !peer.is_ours) peer.address = places[place];
      peer.newest = std::max(peer.newest, number);
      // No larger numbers would be left for the next run.
      if (peer.newest > UINT64_MAX / 2) is_spent_ = true;
    }
    check_standing();
  }

  void stray(FuzzInput& input) {
    const std::size_t place = input.choice(place_count);
    (void)take_refused(input.block(), place);
  }

  /// Delivers a sealed datagram with one flaw, which must be rejected, and then the flawless one,
  /// which must still be accepted.
  void flawed(FuzzInput& input) {
    const std::size_t at = input.choice(peers_.size()), place = input.choice(place_count);
    const Peer& peer = peers_[at];
    const std::uint64_t number = number_of(at, input);
    const std::size_t flaw = input.choice(6);
    const std::uint16_t detail = input.u16();
    const auto text = input.block();
    std::vector<std::byte> bytes = sealed(peer.to_link, peer.session, number, text);
    if (flaw == 0) {
      const std::size_t bit = detail % (bytes.size() * 8);
      bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    } else if (flaw == 1) {
      bytes.resize(detail % bytes.size());
    } else if (flaw == 2) {
      bytes.resize(bytes.size() + 1 + detail % 64);
    } else if (flaw == 3) {
      bytes = sealed(peers_[(at + 1) % peers_.size()].to_link, peer.session, number, text);
    } else if (flaw == 4) {
      bytes = sealed(peer.from_link, peer.session, number, text);
    } else {
      bytes = sealed(peer.to_link, peer.session ^ (1U + detail), number, text);
    }
    (void)take_refused(bytes, place);
    deliver_right(at, number, text, place);
  }

  /// Checks that the peer can open the link's datagram, and that the link rejects its own datagram.
  void reflected(FuzzInput& input) {
    const std::size_t at = input.choice(peers_.size());
    const Peer& peer = peers_[at];
    const auto text = input.bytes(std::min<std::size_t>(input.u16(), net::enet_mtu_bytes));
    const bool is_sent = link_.send(socket_, peer.session, text);
    JOSTLE_ASSERT(is_sent == (peer.session != closed_));
    const auto sent = socket_.take();
    JOSTLE_ASSERT(sent.size() <= (is_sent ? 1U : 0U));
    // If the session has a new address, this address is not validated yet. Its send budget may be
    // too small for the datagram.
    JOSTLE_ASSERT(sent.size() == 1 || !is_sent || peer.address != places[at]);
    if (sent.empty()) return;
    JOSTLE_ASSERT(sent[0].to == peer.address);
    JOSTLE_ASSERT(secure::session_of(sent[0].bytes) == peer.session);
    secure::DatagramDecryptor opener(peer.from_link);
    std::vector<std::byte> bytes = sent[0].bytes;
    const auto opened = opener.open(bytes);
    JOSTLE_ASSERT(opened.verdict == secure::DatagramDecryptor::Verdict::Opened);
    JOSTLE_ASSERT(std::ranges::equal(opened.text, text));
    (void)take_refused(sent[0].bytes, 0);
  }

  /// Delivers arbitrary bytes after a valid header.
  void pretended(FuzzInput& input) {
    const std::size_t at = input.choice(peers_.size());
    base::ByteWriter writer;
    writer.u8(static_cast<std::uint8_t>(secure::DatagramType::Sealed));
    writer.u32(peers_[at].session);
    writer.u64(number_of(at, input));
    writer.raw(input.block());
    const DatagramVerdict verdict = take_refused(writer.bytes(), input.choice(place_count));
    const bool is_short = writer.size() < secure::sealed_overhead_bytes;
    JOSTLE_ASSERT((verdict == DatagramVerdict::NotSealed) == is_short);
  }

  /// Answers one of the dials with its nonce, which an attacker normally does not know.
  void answered(FuzzInput& input) {
    const std::uint64_t nonce = input.boolean() ? open_nonce_ : proving_nonce_;
    if (input.boolean()) {
      secure::Cookie cookie{.version = input.choice(4) == 0 ? input.u16() : std::uint16_t{1},
                            .mode = static_cast<secure::AccessMode>(input.choice(3)),
                            .nonce = nonce,
                            .stamp = {}};
      cookie.stamp.slot = input.u32();
      const auto key = input.bytes(cookie.server.size());
      std::copy(key.begin(), key.end(), cookie.server.begin());
      (void)take_refused(encode(cookie), input.choice(place_count));
    } else {
      std::vector<std::byte> message = copy_of(input.bytes(secure::accept_bytes - 9));
      message.resize(secure::accept_bytes - 9);
      (void)take_refused(encode(secure::Accept{.nonce = nonce, .message = message}),
                         input.choice(place_count));
    }
    for (const auto& outcome : link_.take_outcomes())
      JOSTLE_ASSERT(outcome.session == 0 && !outcome.text.empty());
  }

  void greeting(FuzzInput& input) {
    auto hello = encode(secure::Hello{.version = input.u16(), .nonce = input.u64()});
    const std::size_t place = input.choice(place_count);
    const auto taken = link_.take(socket_, hello, places[place]);
    JOSTLE_ASSERT(taken.verdict == DatagramVerdict::Handshake);
    const auto sent = socket_.take();
    JOSTLE_ASSERT(sent.size() == 1 && sent[0].to == places[place]);
    const auto cookie = secure::decode_cookie(sent[0].bytes);
    JOSTLE_ASSERT(cookie && cookie->server == link_.key());
    // The link must reject an AUTH with this cookie from another address.
    std::vector<std::byte> message(secure::noise_first_overhead + secure::auth_text_bytes);
    const auto auth =
        encode(secure::Auth{.nonce = cookie->nonce, .stamp = cookie->stamp, .message = message});
    JOSTLE_ASSERT(take_refused(auth, (place + 1) % place_count) == DatagramVerdict::BadCookie);
  }

  void again(FuzzInput& input) {
    if (last_.empty()) return;
    (void)take_refused(last_, input.choice(place_count));
  }

  /// Performs an action after which the world cannot be reused.
  void rare(FuzzInput& input) {
    is_spent_ = true;
    if (input.boolean()) {
      link_.advance(socket_);
      (void)socket_.take();
    } else if (closed_ == 0) {
      closed_ = peers_[input.choice(peers_.size())].session;
      link_.close(closed_);
      --sessions_;
    }
    check_standing();
  }

  net::VirtualNetwork network_;
  net::VirtualNode& io_;
  net::TransportCounters counters_;
  net::KeepingSocket socket_;
  net::SealedLink link_;
  std::vector<Peer> peers_;
  std::size_t sessions_ = 0;
  std::uint32_t closed_ = 0;
  std::uint64_t open_nonce_ = 0, proving_nonce_ = 0;
  std::vector<std::byte> last_;
  bool may_spend_ = false, is_spent_ = false;
};

}  // namespace

JOSTLE_FUZZ_TARGET(packet_opener, data, size) {
  static std::unique_ptr<World> world;
  if (!world || world->is_spent()) world = std::make_unique<World>();
  FuzzInput input(data, size);
  // A new world costs a thousand times as much as most steps, so only few runs may make the world
  // unusable. The first byte alone must not decide this, because most inputs are mutations of
  // inputs in the corpus. A hash of the input also decides.
  const bool is_one_of_few = base::hash_bytes(std::as_bytes(std::span(data, size))) % 16 == 0;
  world->begin_run(input.u8() == 0xFF && is_one_of_few);
  for (std::size_t i = 0; i < max_steps && !input.is_empty(); ++i)
    world->step(input);
  return 0;
}

}  // namespace jostle::fuzz::fuzz_packet_opener

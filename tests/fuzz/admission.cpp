// Fuzzes a SealedLink that accepts connections, in every access mode. Guests have valid and invalid
// keys and tokens. Datagrams are lost, changed, repeated and forged; addresses change, bans and
// revocations happen, and time passes. A model of each guest's credentials says whether the guest
// may ever be admitted.
#include "shared/base/assert.h"
#include "shared/net/sealed_link.h"
#include "shared/net/virtual_network.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/net/keeping_socket.h"
#include "tests/secure/seeded_random.h"

#include <algorithm>
#include <deque>

namespace jostle::fuzz::fuzz_admission {
namespace {

using net::DatagramVerdict;
using secure::AccessMode;
using secure::Token;
using Bytes = std::vector<std::byte>;

constexpr std::size_t max_steps = 64, max_guests = 12;
constexpr std::size_t max_kept = 4, max_unkept = 4;
constexpr std::int64_t tick_us = 20'000;
/// Duration of a ban: longer than any run.
constexpr std::int64_t ban_us = 100'000'000'000;
/// Time after the expiry of a reusable token in which its guest may still be admitted. If the
/// answer to an admission before the expiry was lost, the link repeats this answer.
constexpr std::int64_t lateness_s = 31;

/// Maximum age of a session for which keep() was never called, including the interval between two
/// checks.
constexpr std::int64_t longest_stay_us = 10'100'000;

/// Addresses in four networks (/24). The last address belongs to the final guest of a run.
constexpr net::Address places[] = {
    {.ip = 0x0A000101, .port = 1'001}, {.ip = 0x0A000101, .port = 1'002},
    {.ip = 0x0A000102, .port = 1'003}, {.ip = 0x0A000203, .port = 1'004},
    {.ip = 0x0A000303, .port = 1'005}, {.ip = 0x0A000404, .port = 1'006}};
constexpr std::size_t place_count = std::size(places) - 1;

struct Keys {
  crypto::KeyPair server = crypto::key_pair(secure::seeded(1)),
                  other = crypto::key_pair(secure::seeded(2));
  crypto::KeyPair guests[3] = {crypto::key_pair(secure::seeded(3)),
                               crypto::key_pair(secure::seeded(4)),
                               crypto::key_pair(secure::seeded(5))};
  crypto::Ed25519Seed issuer = crypto::random_secret<32>(secure::seeded(6));
  crypto::Ed25519Seed nobody = crypto::random_secret<32>(secure::seeded(7));
  crypto::Ed25519PublicKey shown = crypto::verify_key(issuer);
  secure::PreSharedKey psk = crypto::random_secret<32>(secure::seeded(8));
  secure::PreSharedKey wrong_psk = crypto::random_secret<32>(secure::seeded(9));
};
const Keys& keys() {
  static const Keys made;
  return made;
}

constexpr std::int64_t life_s = 1'000'000;  // lifetime of tokens that outlive every run
constexpr std::int64_t short_life_s = 20;
constexpr std::size_t last_token = 8;  // the token of the final guest

/// A token. `is_good` is true if the issuer has signed the token for this server.
struct Issued {
  Token token;
  Bytes bytes;
  bool is_good = true;
};

std::vector<Issued> issue(std::int64_t now_s) {
  std::vector<Issued> issued;
  const auto add = [&](Token token, bool is_good, const crypto::Ed25519Seed& issuer) {
    token.id[0] = static_cast<std::byte>(issued.size() + 1);
    token.client = 100 + issued.size();
    issued.push_back({token, encode_token(token, issuer), is_good});
  };
  const Token once{.server = keys().server.shown, .not_after_s = now_s + life_s};
  Token token = once;
  add(token, true, keys().issuer);
  add(token, true, keys().issuer);
  token.is_reusable = true;
  token.role = secure::Role::Spectator;
  add(token, true, keys().issuer);
  token.not_after_s = now_s + short_life_s;
  add(token, true, keys().issuer);
  token = once;
  token.not_after_s = now_s + short_life_s;
  add(token, true, keys().issuer);
  token = once;
  token.holder = keys().guests[1].shown;
  token.role = secure::Role::Operator;
  add(token, true, keys().issuer);
  add(once, false, keys().nobody);
  token = once;
  token.server = keys().other.shown;
  add(token, false, keys().issuer);
  add(once, true, keys().issuer);
  return issued;
}

/// Returns all tokens. They are issued only once, because the virtual machine's clock starts at the
/// same time in every run.
const std::vector<Issued>& tokens(std::int64_t now_s) {
  static const std::vector<Issued> made = issue(now_s);
  return made;
}

/// A client that requests admission, and the model of its credentials.
struct Guest {
  secure::HandshakeInitiator initiator;
  net::Address from;
  std::size_t key = 0;
  std::optional<std::size_t> token{};
  bool may_enter = true;  // true if the guest may be admitted at some time
  bool is_kept = false, was_heard = false;
  std::int64_t entered_us = 0;
  std::optional<secure::DatagramEncryptor> sealer{};
  std::optional<secure::DatagramDecryptor> opener{};

  bool is_in() const { return initiator.state() == secure::HandshakeInitiator::State::Admitted; }
  std::uint32_t session() const { return initiator.session().number; }
};

class House {
 public:
  explicit House(AccessMode mode)
      : mode_(mode),
        network_(7),
        io_(network_.node(0x0A000001)),
        book_(keys().shown, keys().server.shown),
        link_(io_, counters_,
              {.security = {.mode = mode,
                            .key = keys().server,
                            .tokens = mode == AccessMode::Token ? &book_ : nullptr,
                            .psk = mode == AccessMode::SharedKey ? std::optional(keys().psk)
                                                                 : std::nullopt},
               .max_sessions = max_kept + max_unkept,
               .max_unkept = max_unkept,
               .limits = {}}),
        issued_(tokens(io_.unix_time_s())) {}

  void step(FuzzInput& input) {
    switch (input.choice(12)) {
      case 0:
        return come(input);
      case 1:
      case 2:
        return ask(input);
      case 3:
        return pass_time(std::int64_t{input.u16()} * 1'000);
      case 4:
        return advance(input.choice(4) != 0);
      case 5:
        return talk(input);
      case 6:
        return stray(fuzz::copy_of(input.block()), input.choice(place_count));
      case 7:
        return repeat(input);
      case 8:
        return keep_or_leave(input);
      case 9:
        return turn_away(input);
      case 10:
        return write(input);
      case 11:
        return play(1 + input.choice(16));
    }
  }

  /// Checks that a guest with valid credentials from an unused network is admitted within a second,
  /// whatever happened before.
  void let_in_the_last() {
    Guest& last = add_guest(std::size(places) - 1, 0, last_token, true);
    for (int i = 0; i < 50 && !last.is_in(); ++i) {
      while (const auto datagram = last.initiator.next_datagram(io_.now_us()))
        (void)deliver(*datagram, last.from, true);
      play(1);
    }
    JOSTLE_ASSERT(last.is_in());
  }

 private:
  // Actions of guests.

  void come(FuzzInput& input) {
    const std::size_t place = input.choice(place_count),
                      key = input.choice(std::size(keys().guests));
    const std::size_t token = input.choice(issued_.size());  // the last index means: no token
    const std::size_t psk = input.choice(4);
    if (guests_.size() >= max_guests) return;
    add_guest(place, key, token == last_token ? std::nullopt : std::optional(token), psk != 0);
  }

  Guest& add_guest(std::size_t place, std::size_t key, std::optional<std::size_t> token,
                   bool has_right_psk) {
    secure::InitiatorOptions options{.own = keys().guests[key]};
    bool may_enter = true;
    if (mode_ == AccessMode::SharedKey) {
      options.psk = has_right_psk ? keys().psk : keys().wrong_psk;
      may_enter = has_right_psk;
    } else if (mode_ == AccessMode::Token) {
      if (token) options.token = issued_[*token].bytes;
      may_enter = token && issued_[*token].is_good && !book_.is_revoked(issued_[*token].token.id) &&
                  is_right_holder(issued_[*token].token, key);
    }
    if (is_banned_[place]) may_enter = false;
    guests_.push_back(
        {.initiator = secure::HandshakeInitiator(options, secure::seeded(100 + guests_.size())),
         .from = places[place],
         .key = key,
         .token = token,
         .may_enter = may_enter});
    return guests_.back();
  }

  static bool is_right_holder(const Token& token, std::size_t key) {
    return token.holder == crypto::PublicKey{} || token.holder == keys().guests[key].shown;
  }

  /// Delivers the next datagram of a guest. The fuzzer may drop it, change it, send it from another
  /// address, or drop the answer.
  void ask(FuzzInput& input) {
    if (guests_.empty()) return;
    Guest& guest = guests_[input.choice(guests_.size())];
    const std::size_t fate = input.choice(8);
    const auto datagram = guest.initiator.next_datagram(io_.now_us());
    if (!datagram || fate == 1) return;
    past_.push_back({*datagram, guest.from});
    if (fate == 2) {
      Bytes changed = *datagram;
      changed[input.u16() % changed.size()] ^= static_cast<std::byte>(input.u8());
      (void)deliver(changed, guest.from, true);
      return;
    }
    if (fate == 3) {
      const net::Address elsewhere = places[input.choice(place_count)];
      const DatagramVerdict verdict = deliver(*datagram, elsewhere, true);
      // The cookie in an AUTH is bound to an address, so the link must reject the AUTH from another
      // address.
      if (elsewhere != guest.from && secure::decode_auth(*datagram))
        JOSTLE_ASSERT(verdict == DatagramVerdict::BadCookie);
      return;
    }
    (void)deliver(*datagram, guest.from, fate != 4);
  }

  /// Sends a sealed datagram of an admitted guest, from any address.
  void talk(FuzzInput& input) {
    if (guests_.empty()) return;
    Guest& guest = guests_[input.choice(guests_.size())];
    const net::Address from = input.boolean() ? places[input.choice(place_count)] : guest.from;
    const auto text = input.bytes(input.choice(64));
    if (!guest.is_in() || net::path_text_kind(text)) return;
    Bytes datagram(secure::sealed_head_bytes);
    datagram.insert(datagram.end(), text.begin(), text.end());
    datagram.resize(datagram.size() + crypto::aead_tag_bytes);
    guest.sealer->seal(datagram);
    past_.push_back({datagram, from});
    const auto taken = take(datagram, from);
    if (taken.verdict != DatagramVerdict::Accepted) {
      JOSTLE_ASSERT(link_.identity_of(guest.session()) == nullptr ||
                    taken.verdict == DatagramVerdict::OverBudget);
      return;
    }
    JOSTLE_ASSERT(taken.session == guest.session() && std::ranges::equal(taken.bytes, text));
    guest.was_heard = true;
    check_single_use(guest);
  }

  /// Checks that only one client uses a single-use token. If `heard` shares its token with an
  /// earlier guest, both have the same key, and the earlier session has ended.
  void check_single_use(const Guest& heard) {
    if (mode_ != AccessMode::Token || issued_[*heard.token].token.is_reusable) return;
    for (const Guest& other : guests_) {
      if (&other == &heard || other.token != heard.token || !other.was_heard) continue;
      JOSTLE_ASSERT(other.key == heard.key);
      JOSTLE_ASSERT(link_.identity_of(other.session()) == nullptr);
    }
  }

  void keep_or_leave(FuzzInput& input) {
    if (guests_.empty()) return;
    Guest& guest = guests_[input.choice(guests_.size())];
    const bool leaves = input.boolean();
    if (!guest.is_in() || link_.identity_of(guest.session()) == nullptr) return;
    if (leaves) return link_.close(guest.session());
    if (kept_count() >= max_kept) return;
    link_.keep(guest.session());
    guest.is_kept = true;
  }

  /// Checks that a datagram sent by the link can be opened by the session's guest.
  void write(FuzzInput& input) {
    if (guests_.empty()) return;
    Guest& guest = guests_[input.choice(guests_.size())];
    const auto text = input.bytes(input.choice(64));
    if (!guest.is_in()) return;
    const bool stands = link_.identity_of(guest.session()) != nullptr;
    JOSTLE_ASSERT(link_.send(socket_, guest.session(), text) == stands);
    for (net::KeepingSocket::Sent& sent : socket_.take()) {
      const auto opened = guest.opener->open(sent.bytes);
      JOSTLE_ASSERT(opened.verdict == secure::DatagramDecryptor::Verdict::Opened);
      JOSTLE_ASSERT(std::ranges::equal(opened.text, text));
    }
  }

  // Actions of attackers without a session.

  void stray(Bytes bytes, std::size_t place) {
    const auto taken = take(bytes, places[place]);
    JOSTLE_ASSERT(taken.verdict != DatagramVerdict::Accepted);
    hand_out(socket_.take(), true);
  }

  /// Replays an earlier datagram. From any address, the datagram must neither be accepted nor
  /// change the number of sessions.
  void repeat(FuzzInput& input) {
    const std::size_t which = input.choice(64), place = input.choice(place_count + 1);
    if (past_.empty()) return;
    const auto& [bytes, from] = past_[which % past_.size()];
    const std::size_t sessions = link_.session_count();
    Bytes datagram = bytes;
    const auto taken = take(datagram, place == place_count ? from : places[place]);
    JOSTLE_ASSERT(taken.verdict != DatagramVerdict::Accepted);
    JOSTLE_ASSERT(link_.session_count() == sessions);
    hand_out(socket_.take(), true);
  }

  void turn_away(FuzzInput& input) {
    if (input.boolean()) {
      const std::size_t place = input.choice(place_count);
      link_.ban(places[place].ip, ban_us);
      for (std::size_t i = 0; i < place_count; ++i)
        if (places[i].ip == places[place].ip) is_banned_[i] = true;
    } else if (mode_ == AccessMode::Token) {
      book_.revoke(issued_[input.choice(last_token)].token.id);
    }
  }

  // The following functions let time pass.

  void pass_time(std::int64_t us) { network_.advance(us); }

  void advance(bool is_delivered) {
    link_.advance(socket_);
    hand_out(socket_.take(), is_delivered);
    (void)link_.take_superseded();
    check_counts();
    // A session for which keep() was never called must have ended after `longest_stay_us`.
    for (const Guest& guest : guests_)
      if (guest.is_in() && !guest.is_kept && io_.now_us() - guest.entered_us > longest_stay_us)
        JOSTLE_ASSERT(link_.identity_of(guest.session()) == nullptr);
  }

  void play(std::size_t ticks) {
    for (std::size_t i = 0; i < ticks; ++i) {
      pass_time(tick_us);
      advance(true);
    }
  }

  // The following functions exchange datagrams with the link.

  net::SealedLink::Taken take(std::span<std::byte> datagram, net::Address from) {
    come_[from] += datagram.size();
    const auto taken = link_.take(socket_, datagram, from);
    check_counts();
    return taken;
  }

  DatagramVerdict deliver(Bytes datagram, net::Address from, bool is_answer_delivered) {
    const auto taken = take(datagram, from);
    JOSTLE_ASSERT(taken.verdict != DatagramVerdict::Accepted);
    hand_out(socket_.take(), is_answer_delivered);
    return taken.verdict;
  }

  /// Delivers the link's answers to guests. Checks that the handshake answers to an address have at
  /// most a fifth of the bytes that came from it.
  void hand_out(const std::vector<net::KeepingSocket::Sent>& all, bool is_delivered) {
    for (const net::KeepingSocket::Sent& sent : all) {
      if (secure::session_of(sent.bytes)) continue;  // a path challenge
      gone_[sent.to] += sent.bytes.size();
      JOSTLE_ASSERT(gone_[sent.to] * 5 <= come_[sent.to]);
      if (is_delivered) read_answer(sent);
    }
  }

  void read_answer(const net::KeepingSocket::Sent& sent) {
    for (Guest& guest : guests_) {
      if (guest.from != sent.to || guest.is_in()) continue;
      guest.initiator.take(sent.bytes, io_.now_us());
      if (guest.is_in()) enter(guest);
    }
  }

  void enter(Guest& guest) {
    JOSTLE_ASSERT(guest.may_enter);
    guest.entered_us = io_.now_us();
    const secure::HandshakeInitiator::Session& session = guest.initiator.session();
    guest.sealer.emplace(session.keys.from_initiator, session.number);
    guest.opener.emplace(session.keys.from_responder);
    const bool has_token = mode_ == AccessMode::Token;
    const Token shown = has_token ? issued_[*guest.token].token : Token{};
    JOSTLE_ASSERT(session.client == shown.client && session.role == shown.role);
    JOSTLE_ASSERT(session.server == keys().server.shown);
    if (has_token && shown.is_reusable)
      JOSTLE_ASSERT(io_.unix_time_s() <= shown.not_after_s + lateness_s);
    // The session may have ended before the guest received a repeated answer.
    const net::PeerIdentity* const identity = link_.identity_of(session.number);
    if (identity == nullptr) return;
    JOSTLE_ASSERT(identity->key == keys().guests[guest.key].shown);
    JOSTLE_ASSERT(identity->client == shown.client && identity->role == shown.role);
  }

  std::size_t kept_count() const {
    return static_cast<std::size_t>(std::ranges::count_if(guests_, [&](const Guest& guest) {
      return guest.is_kept && link_.identity_of(guest.session()) != nullptr;
    }));
  }
  std::size_t unkept_count() const { return link_.session_count() - kept_count(); }
  void check_counts() const {
    JOSTLE_ASSERT(unkept_count() <= max_unkept);
    JOSTLE_ASSERT(link_.session_count() <= max_kept + max_unkept);
  }

  AccessMode mode_;
  net::VirtualNetwork network_;
  net::VirtualNode& io_;
  net::TransportCounters counters_;
  secure::TokenRegistry book_;
  net::KeepingSocket socket_;
  net::SealedLink link_;
  const std::vector<Issued>& issued_;
  std::deque<Guest> guests_;
  bool is_banned_[std::size(places)] = {};
  std::vector<std::pair<Bytes, net::Address>> past_;
  // bytes received from each address, and bytes of handshakes sent to it
  std::map<net::Address, std::size_t> come_, gone_;
};

}  // namespace

JOSTLE_FUZZ_TARGET(admission, data, size) {
  FuzzInput input(data, size);
  const std::uint8_t head = input.u8();
  House house(static_cast<AccessMode>(head % 3));
  for (std::size_t i = 0; i < max_steps && !input.is_empty(); ++i)
    house.step(input);
  if (head >= 192) house.let_in_the_last();
  return 0;
}

}  // namespace jostle::fuzz::fuzz_admission

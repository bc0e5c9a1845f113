// Tests of the server's HandshakeResponder and the client's HandshakeInitiator, one datagram at a
// time.
#include "shared/secure/handshake_initiator.h"
#include "shared/secure/handshake_responder.h"
#include "shared/secure/sealed_datagram.h"
#include "tests/secure/hex.h"
#include "tests/secure/seeded_random.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jostle::secure {
namespace {

const std::vector<std::byte> here = from_hex("7f000001aaaa"), elsewhere = from_hex("0a000001aaaa");

struct Handshake : testing::Test {
  ResponderOptions responder_options{.key = crypto::key_pair(seeded(1))};
  InitiatorOptions dial_options{.own = crypto::key_pair(seeded(2))};
  std::int64_t now_us = 1'000'000;

  HandshakeResponder responder() const { return {responder_options, seeded(3)}; }
  HandshakeInitiator initiator(std::uint64_t seed = 4) const {
    return {dial_options, seeded(seed)};
  }

  /// Runs the whole handshake. Returns the server's answer to the AUTH. Returns nothing if the
  /// client sends no datagram or the server rejects one.
  std::optional<HandshakeResponder::Answer> run(HandshakeResponder& responder,
                                                HandshakeInitiator& initiator,
                                                const AcceptText& text = {.session = 9}) {
    const auto hello = initiator.next_datagram(now_us);
    if (!hello) return std::nullopt;
    const auto cookie = responder.answer_hello(*hello, here, now_us);
    if (!cookie) return std::nullopt;
    initiator.take(*cookie, now_us);
    const auto auth_bytes = initiator.next_datagram(now_us);
    if (!auth_bytes) return std::nullopt;
    const auto auth = responder.check_cookie(*auth_bytes, here, now_us);
    if (!auth) return std::nullopt;
    auto candidate = responder.read(*auth);
    if (!candidate) return std::nullopt;
    shown = candidate->token;
    client = candidate->client;
    auto answer = responder.answer(*candidate, *auth, text);
    if (answer) initiator.take(answer->datagram, now_us);
    return answer;
  }
  /// Answers the initiator's next HELLO too, and advances it by a second, longer than it waits for
  /// an acceptable cookie.
  void wait_in_vain(HandshakeResponder& responder, HandshakeInitiator& initiator) const {
    const auto again = initiator.next_datagram(now_us + 400'000);
    if (again) initiator.take(*responder.answer_hello(*again, here, now_us), now_us + 400'000);
    (void)initiator.next_datagram(now_us + 1'000'000);
  }

  std::vector<std::byte> shown;
  crypto::PublicKey client{};
};

TEST_F(Handshake, BothEndsDeriveTheSameKeys) {
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  const auto answer = run(server, dialing, {.role = Role::Operator, .session = 9, .client = 77});
  ASSERT_TRUE(answer.has_value());
  ASSERT_EQ(dialing.state(), HandshakeInitiator::State::Admitted) << dialing.text();
  const HandshakeInitiator::Session& session = dialing.session();
  EXPECT_EQ(session.number, 9U);
  EXPECT_EQ(session.role, Role::Operator);
  EXPECT_EQ(session.client, 77U);
  EXPECT_EQ(session.server, responder_options.key.shown);
  EXPECT_EQ(client, dial_options.own.shown);

  std::vector<std::byte> datagram(sealed_overhead_bytes + 1);
  DatagramEncryptor(session.keys.from_initiator, 9).seal(datagram);
  EXPECT_EQ(DatagramDecryptor(answer->keys.from_initiator).open(datagram).verdict,
            DatagramDecryptor::Verdict::Opened);
  EXPECT_FALSE(crypto::constant_time_equal(answer->keys.from_initiator.bytes(),
                                           answer->keys.from_responder.bytes()));
}

TEST_F(Handshake, EachSessionHasItsOwnKeys) {
  HandshakeResponder server = responder();
  HandshakeInitiator one = initiator(4), two = initiator(5);
  const auto first = run(server, one), second = run(server, two);
  EXPECT_FALSE(crypto::constant_time_equal(first->keys.from_initiator.bytes(),
                                           second->keys.from_initiator.bytes()));
}

TEST_F(Handshake, AnswersAreAtMostAFifthOfTheirRequests) {
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  const auto hello = *dialing.next_datagram(now_us);
  const auto cookie = *server.answer_hello(hello, here, now_us);
  EXPECT_EQ(hello.size(), 1'200U);
  EXPECT_EQ(cookie.size(), 64U);
  dialing.take(cookie, now_us);
  const auto auth_bytes = *dialing.next_datagram(now_us);
  const auto auth = server.check_cookie(auth_bytes, here, now_us);
  auto candidate = server.read(*auth);
  const auto answer = server.answer(*candidate, *auth, {});
  EXPECT_LE(answer->datagram.size() * 5, auth_bytes.size());
}

TEST_F(Handshake, ACookieIsBoundToItsAddressAndExpires) {
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  dialing.take(*server.answer_hello(*dialing.next_datagram(now_us), here, now_us), now_us);
  const auto auth = *dialing.next_datagram(now_us);
  EXPECT_TRUE(server.check_cookie(auth, here, now_us).has_value());
  EXPECT_FALSE(server.check_cookie(auth, elsewhere, now_us).has_value());
  EXPECT_TRUE(server.check_cookie(auth, here, now_us + 14'000'000).has_value());
  EXPECT_FALSE(server.check_cookie(auth, here, now_us + 30'000'000).has_value());
  EXPECT_FALSE(HandshakeResponder(responder_options, seeded(99))
                   .check_cookie(auth, here, now_us)
                   .has_value())
      << "a cookie of another server";
}

TEST_F(Handshake, RejectsACookieWithAFlippedBit) {
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  dialing.take(*server.answer_hello(*dialing.next_datagram(now_us), here, now_us), now_us);
  const auto auth = *dialing.next_datagram(now_us);
  for (std::size_t bit = 0; bit < (auth_bytes - noise_first_overhead - auth_text_bytes) * 8;
       ++bit) {
    auto flipped = auth;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    EXPECT_FALSE(server.check_cookie(flipped, here, now_us).has_value()) << "bit " << bit;
  }
}

TEST_F(Handshake, OnlyTheServerCanReadTheToken) {
  dial_options.token.assign(token_bytes, std::byte{0x5A});
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  const auto hello = *dialing.next_datagram(now_us);
  dialing.take(*server.answer_hello(hello, here, now_us), now_us);
  const auto auth_bytes = *dialing.next_datagram(now_us);
  const std::vector<std::byte> marker(8, std::byte{0x5A});
  EXPECT_EQ(std::search(auth_bytes.begin(), auth_bytes.end(), marker.begin(), marker.end()),
            auth_bytes.end());
  const auto auth = server.check_cookie(auth_bytes, here, now_us);
  EXPECT_EQ(server.read(*auth)->token, dial_options.token);
}

TEST_F(Handshake, RepeatsAnUnansweredHello) {
  HandshakeInitiator dialing = initiator();
  const auto first = dialing.next_datagram(now_us);
  EXPECT_TRUE(first.has_value());
  EXPECT_FALSE(dialing.next_datagram(now_us + 399'000).has_value())
      << "the HELLO and its answer take 360 ms over a link of 32 kbit/s";
  EXPECT_EQ(dialing.next_datagram(now_us + 400'000), first);
}

TEST_F(Handshake, StartsAgainIfTheAuthIsNotAnswered) {
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  const auto hello = dialing.next_datagram(now_us);
  dialing.take(*server.answer_hello(*hello, here, now_us), now_us);
  EXPECT_EQ(dialing.next_datagram(now_us)->size(), auth_bytes);
  const auto again = dialing.next_datagram(now_us + 5'000'000);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->size(), hello_bytes);
  EXPECT_NE(again, hello) << "another exchange has another nonce";
}

TEST_F(Handshake, ReportsTheServersRefusal) {
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  run(server, dialing, {.admission = Admission::TokenExpired});
  EXPECT_EQ(dialing.state(), HandshakeInitiator::State::Refused);
  EXPECT_EQ(dialing.text(), "refused the connection: the token has expired");
  EXPECT_EQ(dialing.refusal(), Refusal::TokenExpired);
}

TEST_F(Handshake, RefusesAServerWithAnUnexpectedKey) {
  dial_options.server = crypto::key_pair(seeded(77)).shown;
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  EXPECT_FALSE(run(server, dialing).has_value());
  wait_in_vain(server, dialing);
  EXPECT_EQ(dialing.state(), HandshakeInitiator::State::Refused);
  EXPECT_NE(dialing.text().find("another key"), std::string::npos) << dialing.text();
  EXPECT_EQ(dialing.refusal(), Refusal::OtherKey);
}

TEST_F(Handshake, SendsTheTokenOnlyToItsServer) {
  Token token;
  token.server = crypto::key_pair(seeded(77)).shown;
  dial_options.token = encode_token(token, crypto::random_secret<32>(seeded(8)));
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  EXPECT_FALSE(run(server, dialing).has_value());
  wait_in_vain(server, dialing);
  EXPECT_EQ(dialing.state(), HandshakeInitiator::State::Refused);
  EXPECT_NE(dialing.text().find("that the token is for"), std::string::npos) << dialing.text();
  EXPECT_EQ(dialing.refusal(), Refusal::TokenInvalid);
}

// An attacker that sees the HELLO can send cookies before the server does.
TEST_F(Handshake, SucceedsDespiteForgedCookies) {
  dial_options.server = responder_options.key.shown;
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  const auto hello = dialing.next_datagram(now_us);
  const auto genuine = decode_cookie(*server.answer_hello(*hello, here, now_us));
  Cookie other_key = *genuine, other_version = *genuine, other_mode = *genuine,
         other_stamp = *genuine;
  other_key.server = crypto::key_pair(seeded(77)).shown;
  other_version.version += 1;
  other_mode.mode = AccessMode::SharedKey;
  other_stamp.stamp.mac[0] ^= std::byte{1};
  for (const Cookie& forged : {other_key, other_version, other_mode})
    dialing.take(encode(forged), now_us);
  EXPECT_EQ(dialing.state(), HandshakeInitiator::State::Greeting);
  dialing.take(encode(other_stamp), now_us);
  EXPECT_EQ(dialing.state(), HandshakeInitiator::State::Proving);
  dialing.take(encode(*genuine), now_us);
  dialing.take(encode(other_key), now_us);
  // The initiator answers both cookies. The server accepts only the answer to the cookie that it
  // sent.
  std::optional<Auth> auth;
  std::vector<std::vector<std::byte>> proofs;
  while (const auto proof = dialing.next_datagram(now_us))
    proofs.push_back(*proof);
  ASSERT_EQ(proofs.size(), 2U);
  EXPECT_FALSE(server.check_cookie(proofs[0], here, now_us).has_value());
  auth = server.check_cookie(proofs[1], here, now_us);
  ASSERT_TRUE(auth.has_value());
  auto candidate = server.read(*auth);
  ASSERT_TRUE(candidate.has_value());
  dialing.take(server.answer(*candidate, *auth, {.session = 7})->datagram, now_us);
  EXPECT_EQ(dialing.state(), HandshakeInitiator::State::Admitted);
}

// An attacker that changes the mode to "open" would make the client send an AUTH without a token.
// The mode is part of the prologue, so the server cannot decrypt an AUTH that was made for another
// mode.
TEST_F(Handshake, FailsIfTheAccessModeWasChangedInTransit) {
  responder_options.mode = AccessMode::Token;
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  auto cookie = *decode_cookie(*server.answer_hello(*dialing.next_datagram(now_us), here, now_us));
  ASSERT_EQ(cookie.mode, AccessMode::Token);
  cookie.mode = AccessMode::Open;
  dialing.take(encode(cookie), now_us);
  const auto proof = dialing.next_datagram(now_us);
  ASSERT_TRUE(proof.has_value());
  const auto auth = server.check_cookie(*proof, here, now_us);
  ASSERT_TRUE(auth.has_value());
  EXPECT_FALSE(server.read(*auth).has_value());
}

TEST_F(Handshake, AnswersAtMostFourCookies) {
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  auto cookie = *decode_cookie(*server.answer_hello(*dialing.next_datagram(now_us), here, now_us));
  for (int i = 0; i < 100; ++i) {
    cookie.stamp.slot = static_cast<std::uint32_t>(i);
    dialing.take(encode(cookie), now_us);
  }
  int proofs = 0;
  while (dialing.next_datagram(now_us))
    ++proofs;
  EXPECT_EQ(proofs, 4);
}

TEST_F(Handshake, DoesNotGiveUpBecauseOfOneDamagedCookie) {
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator();
  auto damaged = *decode_cookie(*server.answer_hello(*dialing.next_datagram(now_us), here, now_us));
  damaged.version ^= 0x400;
  dialing.take(encode(damaged), now_us);
  // All answers of the next second are lost.
  std::optional<std::vector<std::byte>> hello;
  for (int i = 1; i <= 4; ++i)
    hello = dialing.next_datagram(now_us + i * 250'000);
  ASSERT_EQ(dialing.state(), HandshakeInitiator::State::Greeting) << dialing.text();
  now_us += 1'000'000;
  dialing.take(*server.answer_hello(*hello, here, now_us), now_us);
  EXPECT_EQ(dialing.state(), HandshakeInitiator::State::Proving);
}

TEST_F(Handshake, IgnoresCookiesForAnotherClient) {
  HandshakeResponder server = responder();
  HandshakeInitiator dialing = initiator(4), other = initiator(5);
  (void)dialing.next_datagram(now_us);
  dialing.take(*server.answer_hello(*other.next_datagram(now_us), here, now_us), now_us);
  EXPECT_EQ(dialing.state(), HandshakeInitiator::State::Greeting);
}

TEST_F(Handshake, RequiresTheSameSharedKey) {
  responder_options.mode = AccessMode::SharedKey;
  responder_options.psk = crypto::random_secret<32>(seeded(8));
  HandshakeResponder server = responder();
  HandshakeInitiator without = initiator();
  run(server, without);
  wait_in_vain(server, without);
  EXPECT_EQ(without.state(), HandshakeInitiator::State::Refused);
  dial_options.psk = crypto::random_secret<32>(seeded(9));
  HandshakeInitiator wrong = initiator();
  EXPECT_FALSE(run(server, wrong).has_value());
  dial_options.psk = responder_options.psk;
  HandshakeInitiator right = initiator();
  EXPECT_TRUE(run(server, right).has_value());
  EXPECT_EQ(right.state(), HandshakeInitiator::State::Admitted);
}

TEST_F(Handshake, RateLimitsCookies) {
  responder_options.cookies_per_second = 100;
  responder_options.cookie_burst = 25;
  HandshakeResponder server = responder();
  const auto count_cookies = [&] {
    int cookies = 0;
    for (int i = 0; i < 1'000; ++i)
      cookies += server.answer_hello(encode(Hello{}), here, now_us).has_value() ? 1 : 0;
    return cookies;
  };
  EXPECT_EQ(count_cookies(), 25);
  now_us += 100'000;
  EXPECT_EQ(count_cookies(), 10);
}

}  // namespace
}  // namespace jostle::secure

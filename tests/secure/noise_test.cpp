#include "shared/secure/noise.h"

#include "tests/secure/hex.h"
#include "tests/secure/seeded_random.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace jostle::secure {
namespace {

crypto::KeyPair pair_of(std::string_view secret_hex) {
  return crypto::key_pair(crypto::Secret<32>(sized<32>(from_hex(secret_hex))));
}

/// Keys and prologue of the published test vectors of Noise IK and IKpsk1
/// (github.com/haskell-cryptography/cacophony, vectors/cacophony.txt).
constexpr std::string_view prologue = "4a6f686e2047616c74";
constexpr std::string_view psk = "54686973206973206d7920417573747269616e20706572737065637469766521";
constexpr std::string_view client_static =
    "e61ef9919cde45dd5f82166404bd08e38bceb5dfdfded0a34c8df7ed542214d1";
constexpr std::string_view client_fresh =
    "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a";
constexpr std::string_view server_static =
    "4a3acbfdb163dec651dfa3194dece676d437029c62a408b4c5ea9114246e4893";
constexpr std::string_view server_fresh =
    "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b";

struct Vector {
  bool has_psk;
  // two handshake messages, then one transport message from each end
  std::array<std::string_view, 4> messages;
};
constexpr std::array<std::string_view, 4> texts = {
    "4c756477696720766f6e204d69736573", "4d757272617920526f746862617264", "462e20412e20486179656b",
    "4361726c204d656e676572"};

constexpr Vector vectors[] = {
    {false,
     {"ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944ba83a447b38c83e327ad936929"
      "812f624884847b7831e95e197b2f797088efdd2f88f1db7e1fb0e99c64419097af91cee64e470f4b6fcd9298ce"
      "0b56fe20f86e13bf70439c538e3602a7127af71a29cc",
      "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f1448088439f069b267a06b3de3ecb1043bc"
      "b098e9af91d9c64748d998c7b47890871571",
      "cd54383060e7a28434cca27fb1cc524cfbabeb18181589df219d07",
      "a856d3bf0246bfc476c655009cd1ed677b8dcc5b349ae8ef2a05f2"}},
    {true,
     {"ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944902b84cee06d6795dc5f2501c0"
      "5ba76688c6ce7d2ab36d91ce6d3211721f3280f6264f7c2ea2e6b13d78afb983ae1ffb05f1f4e9fa55356622301"
      "ebaff6e9f21c1f43208cbd63fb9b4082159b8fc5bb3",
      "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f1448088430b230ee9def0e1e7c053a14848"
      "bbfb1458026c9aa2bbbd4b237cb92491392b",
      "3ef532df887f77d7b044cb218ff0674cba4810998d84112690527a",
      "cb6c35ca87c7deef55e8e9bdbd7ccdfb8de119accfadb834cbb56b"}}};

std::string sealed_hex(const crypto::AeadKey& key, std::string_view text_hex) {
  auto bytes = from_hex(text_hex);
  bytes.resize(bytes.size() + crypto::aead_tag_bytes);
  crypto::aead_encrypt(key, 0, {}, bytes);
  return to_hex(bytes);
}

TEST(Noise, MatchesThePublishedTestVectors) {
  for (const Vector& vector : vectors) {
    SCOPED_TRACE(vector.has_psk ? "IKpsk1" : "IK");
    std::optional<PreSharedKey> shared;
    if (vector.has_psk) shared.emplace(sized<32>(from_hex(psk)));
    NoiseInitiator client(from_hex(prologue), pair_of(client_static), pair_of(client_fresh),
                          pair_of(server_static).shown, shared);
    NoiseResponder server(from_hex(prologue), pair_of(server_static), shared);

    const auto first = client.write_first(from_hex(texts[0]));
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(to_hex(*first), vector.messages[0]);
    const auto heard = server.read_first(*first);
    ASSERT_TRUE(heard.has_value());
    EXPECT_EQ(to_hex(*heard), texts[0]);
    EXPECT_EQ(server.initiator(), pair_of(client_static).shown);

    const auto second = server.write_second(from_hex(texts[1]), pair_of(server_fresh));
    ASSERT_TRUE(second.has_value());
    EXPECT_EQ(to_hex(*second), vector.messages[1]);
    const auto answer = client.read_second(*second);
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(to_hex(*answer), texts[1]);

    EXPECT_EQ(sealed_hex(client.keys().from_initiator, texts[2]), vector.messages[2]);
    EXPECT_EQ(sealed_hex(server.keys().from_initiator, texts[2]), vector.messages[2]);
    EXPECT_EQ(sealed_hex(client.keys().from_responder, texts[3]), vector.messages[3]);
    EXPECT_EQ(sealed_hex(server.keys().from_responder, texts[3]), vector.messages[3]);
  }
}

struct Ends {
  crypto::KeyPair client = crypto::key_pair(seeded(1)), server = crypto::key_pair(seeded(2));
  crypto::KeyPair client_new = crypto::key_pair(seeded(3)),
                  server_new = crypto::key_pair(seeded(4));

  NoiseInitiator initiator(std::optional<PreSharedKey> shared = {}) const {
    return {from_hex("00"), client, client_new, server.shown, shared};
  }
  NoiseResponder responder(std::optional<PreSharedKey> shared = {}) const {
    return {from_hex("00"), server, shared};
  }
};

TEST(Noise, RejectsAFirstMessageWithAFlippedBit) {
  const Ends ends;
  const auto first = *ends.initiator().write_first(from_hex("0123"));
  for (std::size_t bit = 0; bit < first.size() * 8; ++bit) {
    // X25519 ignores the highest bit of a key, but the handshake hash covers it.
    auto flipped = first;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    EXPECT_FALSE(ends.responder().read_first(flipped).has_value()) << "bit " << bit;
  }
}

TEST(Noise, AcceptsTheGenuineAnswerAfterForgedOnes) {
  const Ends ends;
  NoiseInitiator client = ends.initiator();
  NoiseResponder server = ends.responder();
  const auto first = *client.write_first({});
  ASSERT_TRUE(server.read_first(first).has_value());
  const auto second = *server.write_second(from_hex("0123"), ends.server_new);
  for (std::size_t bit = 0; bit < second.size() * 8; ++bit) {
    auto flipped = second;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    EXPECT_FALSE(client.read_second(flipped).has_value()) << "bit " << bit;
  }
  EXPECT_FALSE(client.read_second({}).has_value());
  EXPECT_EQ(to_hex(*client.read_second(second)), "0123");
}

TEST(Noise, RejectsMessagesWithoutThePreSharedKey) {
  const Ends ends;
  const PreSharedKey common = crypto::random_secret<32>(seeded(5));
  const PreSharedKey other = crypto::random_secret<32>(seeded(6));
  const auto first = *ends.initiator(common).write_first({});
  EXPECT_TRUE(ends.responder(common).read_first(first).has_value());
  EXPECT_FALSE(ends.responder(other).read_first(first).has_value());
  EXPECT_FALSE(ends.responder().read_first(first).has_value());
  EXPECT_FALSE(ends.responder(common).read_first(*ends.initiator().write_first({})).has_value());
}

TEST(Noise, RejectsLowOrderPublicKeys) {
  const Ends ends;
  crypto::Secret<32> common;
  EXPECT_FALSE(crypto::x25519(ends.client.secret, crypto::PublicKey{}, common));
  NoiseInitiator client(from_hex("00"), ends.client, ends.client_new, crypto::PublicKey{}, {});
  EXPECT_FALSE(client.write_first({}).has_value());
  auto first = *ends.initiator().write_first({});
  std::fill_n(first.begin(), 32, std::byte{0});
  EXPECT_FALSE(ends.responder().read_first(first).has_value());
}

TEST(Noise, RejectsTruncatedMessages) {
  const Ends ends;
  const auto first = *ends.initiator().write_first(from_hex("01"));
  for (std::size_t length = 0; length < first.size(); ++length)
    EXPECT_FALSE(ends.responder().read_first(std::span(first).first(length)).has_value());
}

}  // namespace
}  // namespace jostle::secure

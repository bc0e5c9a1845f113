#include "shared/secure/sealed_datagram.h"

#include "tests/secure/hex.h"
#include "tests/secure/seeded_random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace jostle::secure {
namespace {

const crypto::AeadKey key = crypto::random_secret<crypto::aead_key_bytes>(seeded(1));

std::vector<std::byte> seal(DatagramEncryptor& sealer, std::string_view text) {
  std::vector<std::byte> datagram(sealed_overhead_bytes + text.size());
  const auto bytes = std::as_bytes(std::span(text));
  std::copy(bytes.begin(), bytes.end(), datagram.begin() + sealed_head_bytes);
  sealer.seal(datagram);
  return datagram;
}

std::string open(DatagramDecryptor& opener, std::vector<std::byte> datagram) {
  const DatagramDecryptor::Opened opened = opener.open(datagram);
  if (opened.verdict == DatagramDecryptor::Verdict::Forged) return "(forged)";
  if (opened.verdict == DatagramDecryptor::Verdict::Replayed) return "(replayed)";
  return {reinterpret_cast<const char*>(opened.text.data()), opened.text.size()};
}

TEST(SealedDatagram, RoundTrips) {
  DatagramEncryptor sealer(key, 77);
  DatagramDecryptor opener(key);
  const auto first = seal(sealer, "first"), second = seal(sealer, ""),
             third = seal(sealer, "third");
  EXPECT_EQ(session_of(first), 77U);
  EXPECT_EQ(open(opener, third), "third");
  EXPECT_EQ(open(opener, first), "first");
  EXPECT_EQ(open(opener, second), "");
}

TEST(SealedDatagram, ContainsNoPlaintext) {
  DatagramEncryptor sealer(key, 77);
  constexpr std::string_view marker = "a marker that must not be readable";
  const auto datagram = seal(sealer, marker);
  const auto bytes = std::as_bytes(std::span(marker));
  for (std::size_t length = 4; length <= bytes.size(); length += 4)
    EXPECT_EQ(std::search(datagram.begin(), datagram.end(), bytes.begin(), bytes.begin() + length),
              datagram.end());
}

TEST(SealedDatagram, EqualTextsHaveDifferentCiphertexts) {
  DatagramEncryptor sealer(key, 77);
  const auto one = seal(sealer, "equal"), two = seal(sealer, "equal");
  EXPECT_FALSE(
      std::equal(one.begin() + sealed_head_bytes, one.end(), two.begin() + sealed_head_bytes));
}

TEST(SealedDatagram, RejectsReplays) {
  DatagramEncryptor sealer(key, 77);
  DatagramDecryptor opener(key);
  std::vector<std::vector<std::byte>> sent;
  for (int i = 0; i < 3'000; ++i) {
    sent.push_back(seal(sealer, "text"));
    EXPECT_EQ(open(opener, sent.back()), "text");
  }
  for (const auto& datagram : sent)
    ASSERT_EQ(open(opener, datagram), "(replayed)");
}

TEST(SealedDatagram, RejectsAFlippedBit) {
  DatagramEncryptor sealer(key, 77);
  const auto datagram = seal(sealer, "all of it counts");
  DatagramDecryptor opener(key);
  // The tag covers the whole datagram, including type and session in the unencrypted header.
  for (std::size_t bit = 0; bit < datagram.size() * 8; ++bit) {
    auto flipped = datagram;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    ASSERT_EQ(open(opener, flipped), "(forged)") << "bit " << bit;
  }
  EXPECT_EQ(open(opener, datagram), "all of it counts")
      << "the forgeries must not use up its number";
}

TEST(SealedDatagram, RejectsAnotherKey) {
  DatagramEncryptor sealer(crypto::random_secret<crypto::aead_key_bytes>(seeded(2)), 77);
  DatagramDecryptor opener(key);
  EXPECT_EQ(open(opener, seal(sealer, "text")), "(forged)");
}

TEST(SealedDatagram, ReportsWhetherItIsTheNewest) {
  DatagramEncryptor sealer(key, 77);
  DatagramDecryptor opener(key);
  auto one = seal(sealer, "1"), two = seal(sealer, "2"), three = seal(sealer, "3");
  EXPECT_TRUE(opener.open(one).is_newest);
  EXPECT_TRUE(opener.open(three).is_newest);
  EXPECT_FALSE(opener.open(two).is_newest);
}

TEST(SealedDatagram, OtherBytesHaveNoSession) {
  DatagramEncryptor sealer(key, 77);
  auto datagram = seal(sealer, "");
  EXPECT_EQ(session_of(datagram), 77U);
  EXPECT_EQ(session_of(std::span(datagram).first(datagram.size() - 1)), std::nullopt);
  EXPECT_EQ(session_of({}), std::nullopt);
  datagram[0] = std::byte{4};
  EXPECT_EQ(session_of(datagram), std::nullopt);
}

}  // namespace
}  // namespace jostle::secure

#include "client/blob_store.h"

#include "protocol/limits.h"
#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "shared/compression/compression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace jostle::client {
namespace {

using protocol::BlobAnnounce;
using protocol::BlobChunk;
using protocol::BlobKind;

std::vector<std::byte> seeded_bytes(std::size_t size, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes)
    byte = static_cast<std::byte>(random.below(256));
  return bytes;
}

struct Sender {
  std::vector<std::byte> bytes;
  std::uint64_t hash = 0;

  explicit Sender(std::size_t size, std::uint64_t seed = 1)
      : bytes(seeded_bytes(size, seed)), hash(base::hash_bytes(bytes)) {}

  BlobAnnounce announcement() const {
    return {hash, static_cast<std::uint32_t>(bytes.size()), BlobKind::Keyframe, 0};
  }
  std::vector<BlobChunk> chunks() const {
    std::vector<BlobChunk> made;
    for (std::size_t at = 0; at < bytes.size(); at += protocol::max_blob_chunk_bytes) {
      const std::size_t size = std::min(protocol::max_blob_chunk_bytes, bytes.size() - at);
      made.push_back({hash,
                      static_cast<std::uint32_t>(at),
                      {bytes.begin() + static_cast<std::ptrdiff_t>(at),
                       bytes.begin() + static_cast<std::ptrdiff_t>(at + size)}});
    }
    return made;
  }
};

TEST(BlobStore, DecompressesCompressedBlobs) {
  const std::vector<std::byte> content(3'000, std::byte{9});
  const std::vector<std::byte> packed = compression::compress(content);
  const BlobAnnounce right{base::hash_bytes(content), static_cast<std::uint32_t>(packed.size()),
                           BlobKind::WorldDef, 3'000};
  const BlobChunk chunk{right.content_hash, 0, packed};
  BlobStore store;
  ASSERT_FALSE(store.announce(right).is_broken);
  const auto taken = store.take(chunk);
  ASSERT_TRUE(taken.blob);
  EXPECT_EQ(taken.blob->bytes, content);
  EXPECT_EQ(store.bytes_held(), 0U);

  // The store refuses wrong sizes, and bytes that are not a compressed frame.
  for (const std::uint32_t size : {2'999U, 3'001U, 1U, 30'000'000U}) {
    BlobStore other;
    BlobAnnounce wrong = right;
    wrong.content_size = size;
    ASSERT_FALSE(other.announce(wrong).is_broken);
    EXPECT_TRUE(other.take(chunk).is_broken) << size;
  }
  BlobStore other;
  BlobChunk noise = chunk;
  noise.bytes = seeded_bytes(packed.size(), 3);
  ASSERT_FALSE(other.announce(right).is_broken);
  EXPECT_TRUE(other.take(noise).is_broken);
  BlobAnnounce huge = right;
  huge.content_size = static_cast<std::uint32_t>(protocol::max_blob_bytes) + 1;
  EXPECT_TRUE(BlobStore().announce(huge).is_broken);
}

TEST(BlobStore, AssemblesChunksAndFreesTheirMemory) {
  const Sender sender(5'000);
  BlobStore store;
  EXPECT_FALSE(store.announce(sender.announcement()).is_broken);
  EXPECT_TRUE(store.is_under_way(sender.announcement().kind));
  EXPECT_FALSE(store.is_under_way(BlobKind::Simulation));
  EXPECT_EQ(store.bytes_missing(), 5'000U);
  const auto chunks = sender.chunks();
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto taken = store.take(chunks[i]);
    ASSERT_FALSE(taken.is_broken);
    ASSERT_EQ(taken.blob.has_value(), i + 1 == chunks.size());
    if (!taken.blob) continue;
    EXPECT_EQ(taken.blob->bytes, sender.bytes);
    EXPECT_EQ(taken.blob->kind, BlobKind::Keyframe);
    EXPECT_EQ(taken.blob->content_hash, sender.hash);
  }
  EXPECT_FALSE(store.is_under_way(BlobKind::Keyframe));
  EXPECT_EQ(store.bytes_held(), 0U);
  EXPECT_EQ(store.under_way(), 0U);
}

TEST(BlobStore, AcceptsAnAnnouncementBeforeBetweenOrAfterItsChunks) {
  const Sender sender(3'000);
  const auto chunks = sender.chunks();
  for (std::size_t when = 0; when <= chunks.size(); ++when) {
    SCOPED_TRACE(testing::Message() << "after " << when << " chunks");
    BlobStore store;
    std::size_t complete = 0;
    for (std::size_t i = 0; i <= chunks.size(); ++i) {
      if (i == when) {
        const auto taken = store.announce(sender.announcement());
        EXPECT_FALSE(taken.is_broken);
        complete += taken.blob.has_value();
      }
      if (i == chunks.size()) break;
      const auto taken = store.take(chunks[i]);
      EXPECT_FALSE(taken.is_broken);
      complete += taken.blob.has_value();
    }
    EXPECT_EQ(complete, 1U);
    EXPECT_EQ(store.bytes_held(), 0U);
  }
}

TEST(BlobStore, RefusesContentThatDoesNotMatchItsHash) {
  const Sender sender(2'000);
  auto chunks = sender.chunks();
  chunks[1].bytes[17] ^= std::byte{1};
  BlobStore store;
  store.announce(sender.announcement());
  EXPECT_FALSE(store.take(chunks[0]).is_broken);
  EXPECT_TRUE(store.take(chunks[1]).is_broken);
}

TEST(BlobStore, RefusesChunksOutOfOrderAndBeyondTheAnnouncedSize) {
  const Sender sender(3'000);
  const auto chunks = sender.chunks();
  {
    BlobStore store;
    store.announce(sender.announcement());
    EXPECT_TRUE(store.take(chunks[1]).is_broken);
  }
  {
    BlobStore store;
    store.announce(sender.announcement());
    store.take(chunks[0]);
    EXPECT_TRUE(store.take(chunks[0]).is_broken);
  }
  {
    BlobStore store;
    BlobAnnounce shorter = sender.announcement();
    shorter.size = 1'500;
    store.announce(shorter);
    store.take(chunks[0]);
    EXPECT_TRUE(store.take(chunks[1]).is_broken);
  }
  {
    BlobStore store;
    BlobAnnounce shorter = sender.announcement();
    shorter.size = 1'500;
    store.take(chunks[0]);
    store.take(chunks[1]);
    EXPECT_TRUE(store.announce(shorter).is_broken);
  }
}

TEST(BlobStore, RefusesSizesBeyondTheLimit) {
  BlobStore store;
  EXPECT_TRUE(store.announce({1, 0, BlobKind::Shape}).is_broken);
  EXPECT_TRUE(
      store.announce({1, static_cast<std::uint32_t>(protocol::max_blob_bytes) + 1, BlobKind::Shape})
          .is_broken);
  EXPECT_TRUE(store.announce({1, 0xFFFFFFFFU, BlobKind::WorldDef}).is_broken);
  EXPECT_EQ(store.under_way(), 0U);
}

TEST(BlobStore, AllocatesNothingForAnAnnouncement) {
  BlobStore store;
  for (std::uint64_t hash = 1; hash <= BlobStore::max_announced; ++hash) {
    ASSERT_FALSE(
        store
            .announce({hash, static_cast<std::uint32_t>(protocol::max_blob_bytes), BlobKind::Shape})
            .is_broken);
  }
  EXPECT_EQ(store.bytes_held(), 0U);
  EXPECT_TRUE(store.announce({0, 10, BlobKind::Shape}).is_broken) << "too many";
}

TEST(BlobStore, LimitsTheNumberOfUnannouncedBlobs) {
  BlobStore store;
  std::size_t accepted = 0;
  for (std::uint64_t hash = 1; hash <= 1'000; ++hash) {
    if (store.take({hash, 0, std::vector<std::byte>(10)}).is_broken) break;
    ++accepted;
  }
  EXPECT_EQ(accepted, BlobStore::max_unannounced);
}

TEST(BlobStore, LimitsTheBytesOfBlobsInTransfer) {
  BlobStore store;
  const std::vector<std::byte> bytes(protocol::max_blob_chunk_bytes);
  bool is_broken = false;
  for (std::uint64_t hash = 1; hash <= 3 && !is_broken; ++hash) {
    store.announce(
        {hash, static_cast<std::uint32_t>(protocol::max_blob_bytes), BlobKind::WorldDef});
    for (std::size_t at = 0; at + bytes.size() < protocol::max_blob_bytes; at += bytes.size()) {
      is_broken = store.take({hash, static_cast<std::uint32_t>(at), bytes}).is_broken;
      if (is_broken) break;
    }
  }
  EXPECT_TRUE(is_broken);
  EXPECT_LE(store.bytes_held(), BlobStore::max_bytes_held);
}

TEST(BlobStore, RefusesContradictingAnnouncementsOfOneBlob) {
  BlobStore store;
  EXPECT_FALSE(store.announce({5, 100, BlobKind::Shape}).is_broken);
  EXPECT_FALSE(store.announce({5, 100, BlobKind::Shape}).is_broken);
  EXPECT_TRUE(store.announce({5, 101, BlobKind::Shape}).is_broken);
}

}  // namespace
}  // namespace jostle::client

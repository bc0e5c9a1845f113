#include "server/blob_sender.h"

#include "protocol/limits.h"
#include "shared/compression/compression.h"

#include <gtest/gtest.h>

#include <memory>

namespace jostle::server {
namespace {

SharedBlob blob(protocol::BlobKind kind, std::uint64_t hash, std::size_t bytes) {
  OutgoingBlob made;
  made.kind = kind;
  made.content_hash = hash;
  for (std::size_t i = 0; i < bytes; ++i)
    made.bytes.push_back(static_cast<std::byte>(i % 251));
  return std::make_shared<const OutgoingBlob>(std::move(made));
}

TEST(BlobSender, AnnouncesOnceThenSendsEveryByteInOrder) {
  BlobSender sender;
  const SharedBlob big = blob(protocol::BlobKind::WorldDef, 42, 2'500);
  EXPECT_TRUE(sender.add(big));
  const auto announcement = sender.take_announcement();
  ASSERT_TRUE(announcement.has_value());
  EXPECT_EQ(announcement->content_hash, 42U);
  EXPECT_EQ(announcement->size, 2'500U);

  std::vector<std::byte> received;
  while (!sender.is_idle()) {
    EXPECT_FALSE(sender.take_announcement().has_value());
    const protocol::BlobChunk chunk = sender.take_chunk();
    EXPECT_EQ(chunk.content_hash, 42U);
    EXPECT_EQ(chunk.offset, received.size());
    EXPECT_LE(chunk.bytes.size(), protocol::max_blob_chunk_bytes);
    received.insert(received.end(), chunk.bytes.begin(), chunk.bytes.end());
  }
  EXPECT_EQ(received, big->bytes);
}

TEST(BlobSender, HoldsAKindUntilItsLastChunkWasTaken) {
  BlobSender sender;
  sender.add(blob(protocol::BlobKind::Simulation, 1, 1'500));
  EXPECT_TRUE(sender.holds(protocol::BlobKind::Simulation));
  EXPECT_FALSE(sender.holds(protocol::BlobKind::Keyframe));
  sender.take_announcement();
  while (!sender.is_idle()) {
    EXPECT_TRUE(sender.holds(protocol::BlobKind::Simulation));
    sender.take_chunk();
  }
  EXPECT_FALSE(sender.holds(protocol::BlobKind::Simulation));
}

TEST(BlobSender, CompressesBlobsOnlyIfTheyGetShorter) {
  protocol::Blob even;
  even.content_hash = 7;
  even.bytes.assign(5'000, std::byte{3});
  const SharedBlob packed = pack(protocol::BlobKind::Keyframe, even);
  EXPECT_EQ(packed->content_hash, 7U);
  EXPECT_EQ(packed->content_size, 5'000U);
  EXPECT_LT(packed->bytes.size(), 100U);
  EXPECT_EQ(compression::decompress(packed->bytes, 5'000), even.bytes);
  protocol::Blob tiny;
  tiny.bytes = {std::byte{1}, std::byte{2}};
  const SharedBlob plain = pack(protocol::BlobKind::Shape, tiny);
  EXPECT_EQ(plain->content_size, 0U);
  EXPECT_EQ(plain->bytes, tiny.bytes);
  BlobSender sender;
  sender.add(packed);
  const auto announcement = sender.take_announcement();
  ASSERT_TRUE(announcement);
  EXPECT_EQ(announcement->size, packed->bytes.size());
  EXPECT_EQ(announcement->content_size, 5'000U);
}

TEST(BlobSender, ANewerWorldReplacesAWaitingOneButNotOneBeingSent) {
  BlobSender sender;
  sender.add(blob(protocol::BlobKind::WorldDef, 1, 3'000));
  ASSERT_TRUE(sender.take_announcement().has_value());
  for (std::uint64_t hash = 2; hash < 50; ++hash) {
    sender.add(blob(protocol::BlobKind::WorldDef, hash, 100));
    sender.add(blob(protocol::BlobKind::Keyframe, hash + 1'000, 100));
  }
  std::vector<std::uint64_t> sent;
  while (!sender.is_idle()) {
    (void)sender.take_announcement();
    const std::uint64_t hash = sender.take_chunk().content_hash;
    if (sent.empty() || sent.back() != hash) sent.push_back(hash);
  }
  EXPECT_EQ(sent, (std::vector<std::uint64_t>{1, 49, 1'049}));
}

TEST(BlobSender, SendsAShapeOnceAndAWorldEveryTime) {
  BlobSender sender;
  EXPECT_TRUE(sender.add(blob(protocol::BlobKind::Shape, 1, 10)));
  EXPECT_FALSE(sender.add(blob(protocol::BlobKind::Shape, 1, 10)));
  EXPECT_TRUE(sender.add(blob(protocol::BlobKind::WorldDef, 2, 10)));
  EXPECT_TRUE(sender.add(blob(protocol::BlobKind::WorldDef, 2, 10)));
}

}  // namespace
}  // namespace jostle::server

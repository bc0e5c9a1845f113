#include "server/blob_sender.h"

#include "protocol/limits.h"

#include <gtest/gtest.h>

#include <memory>

namespace jostle::server {
namespace {

SharedBlob blob(protocol::BlobKind kind, std::uint64_t hash, std::size_t bytes) {
  OutgoingBlob made;
  made.kind = kind;
  made.blob.content_hash = hash;
  for (std::size_t i = 0; i < bytes; ++i)
    made.blob.bytes.push_back(static_cast<std::byte>(i % 251));
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
  EXPECT_EQ(received, big->blob.bytes);
}

TEST(BlobSender, NewerWorldTakesThePlaceOfOneThatWaitsNotOfOneThatIsOnItsWay) {
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

TEST(BlobSender, ShapesAreSentOnceWorldsEveryTime) {
  BlobSender sender;
  EXPECT_TRUE(sender.add(blob(protocol::BlobKind::Shape, 1, 10)));
  EXPECT_FALSE(sender.add(blob(protocol::BlobKind::Shape, 1, 10)));
  EXPECT_TRUE(sender.add(blob(protocol::BlobKind::WorldDef, 2, 10)));
  EXPECT_TRUE(sender.add(blob(protocol::BlobKind::WorldDef, 2, 10)));
}

}  // namespace
}  // namespace jostle::server

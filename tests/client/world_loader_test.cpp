#include "client/world_loader.h"

#include "protocol/limits.h"
#include "protocol/world_codec.h"
#include "shared/base/hash.h"
#include "tests/client/scripted_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace jostle::client {
namespace {

using protocol::BlobKind;
using LoadOutcome = WorldLoader::Outcome;

/// Announces a blob and sends all of its chunks. Returns the outcome of the last one.
LoadOutcome send(WorldLoader& loader, BlobKind kind, const protocol::Blob& blob) {
  LoadOutcome outcome =
      loader.announce({blob.content_hash, static_cast<std::uint32_t>(blob.bytes.size()), kind});
  for (std::size_t at = 0; at < blob.bytes.size(); at += protocol::max_blob_chunk_bytes) {
    const std::size_t size = std::min(protocol::max_blob_chunk_bytes, blob.bytes.size() - at);
    const auto begin = blob.bytes.begin() + static_cast<std::ptrdiff_t>(at);
    outcome = loader.take({blob.content_hash,
                           static_cast<std::uint32_t>(at),
                           {begin, begin + static_cast<std::ptrdiff_t>(size)}});
  }
  return outcome;
}

protocol::Blob blob_of(std::vector<std::byte> bytes) {
  const std::uint64_t hash = base::hash_bytes(bytes);
  return {hash, std::move(bytes)};
}

TEST(WorldLoader, LoadsAWorldAndItsShapesInAnyOrder) {
  const state::WorldDef world = ScriptedServer::make_world(40, 4);
  const protocol::EncodedWorld encoded = protocol::encode_world(world);
  ASSERT_EQ(encoded.shapes.size(), 5U);
  for (std::size_t before = 0; before <= encoded.shapes.size(); ++before) {
    SCOPED_TRACE(testing::Message() << before << " shapes before the world");
    WorldLoader loader;
    for (std::size_t i = 0; i < before; ++i) {
      EXPECT_EQ(send(loader, BlobKind::Shape, encoded.shapes[i]), LoadOutcome::Nothing);
    }
    LoadOutcome outcome = send(loader, BlobKind::WorldDef, encoded.world);
    for (std::size_t i = before; i < encoded.shapes.size(); ++i) {
      EXPECT_EQ(outcome, LoadOutcome::Nothing);
      EXPECT_TRUE(loader.replica().is_empty());
      outcome = send(loader, BlobKind::Shape, encoded.shapes[i]);
    }
    EXPECT_EQ(outcome, LoadOutcome::WorldChanged);
    EXPECT_EQ(loader.replica().world(), world);
  }
}

TEST(WorldLoader, ReusesCachedShapesForTheNextWorld) {
  state::WorldDef world = ScriptedServer::make_world(10, 3);
  const protocol::EncodedWorld first = protocol::encode_world(world);
  WorldLoader loader;
  for (const protocol::Blob& shape : first.shapes)
    send(loader, BlobKind::Shape, shape);
  send(loader, BlobKind::WorldDef, first.world);
  world.revision = 2;
  world.bodies.pop_back();
  EXPECT_EQ(send(loader, BlobKind::WorldDef, protocol::encode_world(world).world),
            LoadOutcome::WorldChanged);
  EXPECT_EQ(loader.replica().world(), world);
}

TEST(WorldLoader, LoadsTheNewerOfTwoWorldsThatWaitForShapes) {
  state::WorldDef world = ScriptedServer::make_world(10, 3);
  const protocol::EncodedWorld first = protocol::encode_world(world);
  world.revision = 2;
  const protocol::EncodedWorld second = protocol::encode_world(world);
  WorldLoader loader;
  send(loader, BlobKind::WorldDef, first.world);
  send(loader, BlobKind::WorldDef, second.world);
  for (const protocol::Blob& shape : second.shapes)
    send(loader, BlobKind::Shape, shape);
  EXPECT_EQ(loader.replica().world(), world);
}

TEST(WorldLoader, ReturnsKeyframeBlobs) {
  WorldLoader loader;
  const protocol::Blob keyframe = blob_of(std::vector<std::byte>(3'000, std::byte{7}));
  EXPECT_EQ(send(loader, BlobKind::Keyframe, keyframe), LoadOutcome::Keyframe);
  EXPECT_EQ(loader.take_keyframe(), keyframe.bytes);
  EXPECT_TRUE(loader.take_keyframe().empty());
}

TEST(WorldLoader, RefusesBlobsThatCannotBeDecoded) {
  const protocol::Blob junk = blob_of(std::vector<std::byte>(200, std::byte{0x5A}));
  for (const BlobKind kind : {BlobKind::WorldDef, BlobKind::Shape}) {
    WorldLoader loader;
    EXPECT_EQ(send(loader, kind, junk), LoadOutcome::Broken);
    EXPECT_TRUE(loader.replica().is_empty());
  }
}

}  // namespace
}  // namespace jostle::client

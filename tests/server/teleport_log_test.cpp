#include "server/teleport_log.h"

#include "protocol/limits.h"

#include <gtest/gtest.h>

#include <vector>

namespace jostle::server {
namespace {

using protocol::Teleport;

std::vector<state::BodyId> ids(std::uint32_t count) {
  std::vector<state::BodyId> all;
  for (std::uint32_t i = 0; i < count; ++i)
    all.push_back({i + 1});
  return all;
}

protocol::EncodedPart part(std::uint32_t first, std::uint32_t count) {
  return {.first = first, .count = count, .payload = {}, .chosen = {}};
}

TEST(TeleportLog, ReturnsTheTeleportsOfAPartThatAClientDoesNotKnow) {
  TeleportLog log;
  log.add({100}, std::vector<state::BodyId>{{2}, {7}});
  log.add({103}, std::vector<state::BodyId>{{3}});
  const auto all = ids(10);
  EXPECT_EQ(log.of_part(part(0, 10), all, {105}, {}),
            (std::vector<Teleport>{{1, 5}, {6, 5}, {2, 2}}));
  EXPECT_EQ(log.of_part(part(2, 8), all, {105}, {}), (std::vector<Teleport>{{6, 5}, {2, 2}}));
  EXPECT_EQ(log.of_part(part(0, 10), all, {105}, {100}), (std::vector<Teleport>{{2, 2}}));
  EXPECT_TRUE(log.has_any_after({102}));
  EXPECT_FALSE(log.has_any_after({103}));
  protocol::EncodedPart chosen = part(0, 10);
  chosen.chosen = {2, 5, 6};
  EXPECT_EQ(log.of_part(chosen, all, {105}, {}), (std::vector<Teleport>{{6, 5}, {2, 2}}));
}

TEST(TeleportLog, ForgetsOldTeleports) {
  TeleportLog log;
  log.add({100}, std::vector<state::BodyId>{{2}});
  log.add({100 + protocol::teleport_window_ticks}, {});
  EXPECT_FALSE(log.has_any_after({}));
}

TEST(TeleportLog, ManyTeleportsApplyToTheWholePart) {
  TeleportLog log;
  log.add({100}, ids(40));
  log.add({101}, ids(2));
  EXPECT_EQ(log.of_part(part(0, 100), ids(100), {101}, {}),
            (std::vector<Teleport>{{Teleport::all_bodies, 0}, {Teleport::all_bodies, 1}}));
}

TEST(TeleportLog, FindsBodiesThatMovedFartherThanTheirVelocity) {
  TeleportLog log;
  const auto at = [](std::uint32_t id, double x, float speed) {
    return state::BodyState{{id}, {{x, 0, 0}, {}}, {speed, 0, 0}, {}, true};
  };
  const state::Snapshot before{{10}, 1, {at(1, 0, 0), at(2, 0, 300), at(3, 0, 0), at(5, 0, 0)}};
  const state::Snapshot now{{11}, 1, {at(1, 3, 0), at(2, 5, 300), at(4, 9, 0), at(5, 0.9, 0)}};
  log.add_jumps(before, now, 1.0 / 60);
  EXPECT_EQ(log.of_part(part(0, 5), ids(5), {11}, {}), (std::vector<Teleport>{{0, 0}}));
}

}  // namespace
}  // namespace jostle::server

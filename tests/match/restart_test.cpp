// A server that is killed continues from its journal, with the players of its clients.
#include "shared/journal/journal.h"
#include "shared/journal/recovery.h"
#include "shared/record/replay.h"
#include "tests/journal/memory_files.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace jostle::match {
namespace {

TEST(Restart, PlayersWithATokenKeepTheirBodiesAndOthersLeave) {
  MatchOptions options;
  options.is_recorded = options.is_remembered = false;
  Match match(options);
  match.add_client("Ann");
  match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5));
  match.run_seconds(1);
  journal::PlayerLog::Tokens tokens;
  for (const auto& [peer, session] : match.server().sessions())
    if (session.name == "Ann") tokens[session.player] = session.reconnect_token;
  ASSERT_EQ(tokens.size(), 1U);
  const state::PlayerId ann = tokens.begin()->first;
  const state::BodyId body = match.simulation().player_body(ann);
  base::ByteWriter saved;
  match.simulation().save(saved);

  match.kill_server();
  match.run_seconds(0.5);
  match.start_server();
  base::ByteReader reader(saved.bytes());
  ASSERT_TRUE(match.simulation().restore(reader));
  journal::MemoryFiles files;
  journal::InlineExecutor executor;
  journal::PlayerLog log(files, executor, "state/players", true);
  ASSERT_EQ(log.begin(tokens), "");
  match.server().restore_players(tokens, &log);
  match.run_seconds(5);
  EXPECT_EQ(match.simulation().player_body(ann), body);
  std::size_t back = 0;
  for (const auto& [peer, session] : match.server().sessions()) {
    if (session.name == "Ann") {
      ++back;
      EXPECT_EQ(session.player, ann);
    } else {
      EXPECT_NE(session.player, ann);
    }
  }
  EXPECT_EQ(back, 1U);
  EXPECT_EQ(match.simulation().players().all().size(), 2U) << "Bob has a new player";
  // The log holds the tokens of both players now.
  EXPECT_EQ(journal::PlayerLog::read(files, "state/players")->size(), 2U);
}

TEST(Restart, ClientsLearnTheNewestDurableTick) {
  MatchOptions options;
  options.is_recorded = options.is_remembered = false;
  options.faults.latency_us = 20'000;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5));
  match.run_seconds(1);
  EXPECT_EQ(ann.client->metrics().durable_tick.number, 0U) << "the server keeps no state";

  journal::MemoryFiles files;
  journal::InlineExecutor executor;
  journal::SegmentOptions segments;
  segments.folder = "state";
  segments.durability = journal::Durability::Group;
  journal::Journal journal(files, executor, segments,
                           record::rule_names(match.simulation().rules()));
  ASSERT_EQ(journal.begin(match.simulation(), "match.scene.json"), "");
  match.server().add_journal(&journal);
  match.server().set_durable_journal(&journal);
  match.run_seconds(2);
  const auto known = [&] { return ann.client->metrics().durable_tick.number; };
  // Pings are sent every 250 ms, and ticks are synced every 50 ms.
  const std::uint32_t before = known();
  EXPECT_GT(before + 30, match.simulation().tick().number);
  EXPECT_LE(before, journal.status().durable_tick);
  // A disk that does not sync makes nothing durable.
  files.sync_error = EIO;
  match.run_seconds(0.5);
  const std::uint32_t last = known();
  match.run_seconds(2);
  EXPECT_EQ(known(), last);
  EXPECT_LE(last, journal.status().durable_tick);
}

}  // namespace
}  // namespace jostle::match

#include "client/panels/server_list.h"

#include "client/app/server_search.h"
#include "protocol/context/own_hello.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jostle::panels {
namespace {

const std::vector<std::string> nowhere;

ServerLine line(const std::string& address, const std::string& fault = {}) {
  return {.address = address, .name = "server", .fault = fault};
}

std::string selected(const ServerList& list) {
  return list.selected_line() == nullptr ? "" : list.selected_line()->address;
}

TEST(ServerList, SelectsTheFirstJoinableServer) {
  ServerList list;
  list.update({}, nowhere);
  EXPECT_EQ(selected(list), "");
  list.update({line("a:1", "incompatible"), line("b:1")}, nowhere);
  EXPECT_EQ(selected(list), "b:1");
  EXPECT_EQ(list.found_count(), 2U);
}

TEST(ServerList, KeepsTheUsersSelectionWhileItExists) {
  ServerList list;
  list.update({line("a:1"), line("b:1")}, nowhere);
  list.move(1);
  EXPECT_EQ(selected(list), "b:1");
  list.update({line("new:1"), line("b:1"), line("a:1")}, nowhere);
  EXPECT_EQ(selected(list), "b:1");
  list.update({line("new:1"), line("a:1")}, nowhere);
  EXPECT_EQ(selected(list), "new:1");
}

TEST(ServerList, StopsMovingAtTheFirstAndLastLine) {
  ServerList list;
  list.move(1);
  list.update({line("a:1"), line("b:1")}, {"c:1"});
  list.move(-5);
  EXPECT_EQ(selected(list), "a:1");
  list.move(50);
  EXPECT_EQ(selected(list), "c:1");
  list.select(7);  // a click on a line that no longer exists
  EXPECT_EQ(selected(list), "c:1");
}

TEST(ServerList, ListsRecentServersBelowWithoutDuplicates) {
  ServerList list;
  list.update({line("a:1")}, {"b:1", "a:1"});
  ASSERT_EQ(list.lines().size(), 2U);
  EXPECT_EQ(list.found_count(), 1U);
  EXPECT_EQ(list.lines()[1].address, "b:1");
  EXPECT_EQ(list.lines()[1].access, ServerLine::Access::Unknown);
}

TEST(ServerLine, DescribesAServerAndWhyItCannotBeJoined) {
  const protocol::Hello own = protocol::context::own_hello();
  lan::DiscoveredServer server{.address = {net::Ip{0xC0A80005}, 9000},
                               .facts = {.port = 9000,
                                         .access = secure::AccessMode::Token,
                                         .protocol_version = {.major = own.version_major,
                                                              .minor = own.version_minor,
                                                              .schema = own.schema_hash,
                                                              .priors = own.priors_hash},
                                         .players = 3,
                                         .places = 16,
                                         .name = "Ann's",
                                         .scene = "crates"},
                               .round_trip_ms = 1.25};
  ServerLine found = client_app::line_of(server);
  EXPECT_EQ(found.address, "192.168.0.5:9000");
  EXPECT_EQ(found.name, "Ann's");
  EXPECT_EQ(found.scene, "crates");
  EXPECT_EQ(found.players, "3 of 16");
  EXPECT_EQ(found.access, ServerLine::Access::Token);
  EXPECT_EQ(found.fault, "");
  EXPECT_NE(found.detail.find("requires a token"), std::string::npos) << found.detail;

  ++server.facts.protocol_version.schema;
  found = client_app::line_of(server);
  EXPECT_NE(found.fault.find("incompatible version"), std::string::npos) << found.fault;
  EXPECT_EQ(found.scene, "incompatible");
}

}  // namespace
}  // namespace jostle::panels

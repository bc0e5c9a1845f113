// This program replaces the wall clock of the process by one that jumps by an hour at each query.
// If the network code used the wall clock for timeouts, all connections would be lost.
#include "shared/net/system_io.h"
#include "tests/net/net_fixture.h"

#include <poll.h>
#include <sys/time.h>

#include <atomic>
#include <ctime>

namespace {

std::atomic<long> looks_at_wall_clock{0};
constexpr long hour_s = 3'600;

}  // namespace

// Other libraries can only call these functions if they are visible outside of the program.
#pragma GCC visibility push(default)
extern "C" {

int gettimeofday(timeval* now, void*) noexcept {
  now->tv_sec = ++looks_at_wall_clock * hour_s;
  now->tv_usec = 0;
  return 0;
}

time_t time(time_t* out) noexcept {
  const time_t now = ++looks_at_wall_clock * hour_s;
  if (out != nullptr) *out = now;
  return now;
}

}  // extern "C"
#pragma GCC visibility pop

namespace jostle::net {
namespace {

TEST(WallClock, JumpsDoNotAffectConnections) {
  timeval probe{};
  gettimeofday(&probe, nullptr);
  ASSERT_GT(looks_at_wall_clock, 0) << "the wall clock of this process was not replaced";

  SystemIo io;
  Party server = open_party(io, EnetOptions{});
  Party client = open_party(io, EnetOptions{});
  const auto id = client.transport->connect(server.transport->local_address());
  ASSERT_TRUE(id);
  const long looks_before = looks_at_wall_clock;
  // Count messages instead of measuring time: a hundred must arrive.
  int sent = 0;
  for (int round = 0; round < 300'000 && server.received().size() < 100; ++round) {
    if (client.connected() == 1 && sent < 100 &&
        client.transport->send(*id, Channel::Control, bytes_of("x"))) {
      ++sent;
    }
    client.transport->service(client.events);
    server.transport->service(server.events);
    pollfd waits{.fd = server.transport->native_handle(), .events = POLLIN, .revents = 0};
    ::poll(&waits, 1, 1);
  }
  EXPECT_EQ(server.received().size(), 100U);
  EXPECT_EQ(server.disconnected() + client.disconnected(), 0U);
  EXPECT_EQ(looks_at_wall_clock, looks_before);
}

}  // namespace
}  // namespace jostle::net

// This program hides the symbols of the static libraries from the dynamic linker, as a wrong link
// option or a plugin build would. libenet then uses its own sockets and clock.
#include "shared/net/enet_transport.h"
#include "shared/net/system_io.h"

#include <gtest/gtest.h>

namespace jostle::net {
namespace {

TEST(WithoutSeam, TheCheckNamesTheFunctionsThatWereNotCalled) {
  const auto problem = enet_seam_check();
  ASSERT_TRUE(problem);
  for (const char* function :
       {"enet_time_get", "enet_socket_create", "enet_socket_bind", "enet_socket_send",
        "enet_socket_receive", "enet_host_random_seed"}) {
    EXPECT_NE(problem->find(function), std::string::npos) << *problem;
  }
}

TEST(WithoutSeam, CreatingATransportFails) {
  SystemIo io;
  const auto transport = EnetTransport::create(io, EnetOptions{});
  ASSERT_FALSE(transport);
  EXPECT_EQ(transport.error().kind, TransportError::Kind::SeamNotInEffect);
  EXPECT_NE(transport.error().text.find("not in effect"), std::string::npos);
}

}  // namespace
}  // namespace jostle::net

#include "server/address_shares.h"

#include <gtest/gtest.h>

namespace jostle::server {
namespace {

const net::Ip remote = *net::parse_ip("192.0.2.1");
const net::Ip local = *net::parse_ip("127.0.0.1");

TEST(AddressShares, ARemoteAddressMayHaveHalfOfThePlaces) {
  const AddressShares shares;
  EXPECT_EQ(shares.why_refused(remote, 16, 7, 7), "");
  EXPECT_EQ(shares.why_refused(remote, 16, 8, 8),
            "this address has 8 of the 8 places that one address may have");
  EXPECT_EQ(shares.why_refused(remote, 1, 0, 0), "");
}

TEST(AddressShares, TheLastPlacesAreKeptForAddressesWithoutOne) {
  const AddressShares shares;
  EXPECT_EQ(shares.why_refused(remote, 16, 13, 1), "");
  EXPECT_EQ(shares.why_refused(remote, 16, 14, 1),
            "the last 2 places are kept for other addresses");
  EXPECT_EQ(shares.why_refused(remote, 16, 15, 0), "");
}

TEST(AddressShares, ThisMachineHasNoLimitUnlessOneIsGiven) {
  EXPECT_EQ(AddressShares{}.why_refused(local, 16, 15, 15), "");
  EXPECT_NE(AddressShares{3}.why_refused(local, 16, 3, 3), "");
  EXPECT_EQ(AddressShares{0}.why_refused(remote, 16, 15, 15), "");
}

}  // namespace
}  // namespace jostle::server

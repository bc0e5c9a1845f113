#include "shared/keyring/key_files.h"

#include "shared/crypto/encode.h"
#include "shared/keyring/folders.h"
#include "shared/keyring/lifetime.h"
#include "tests/keyring/keyring_fixture.h"

namespace jostle::keyring {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct KeyFiles : Machine {};

const std::string key_text(43, 'A');  // 32 zero bytes

TEST_F(KeyFiles, RoundTripEachKind) {
  const crypto::KeyPair pair = crypto::key_pair(seeded(1));
  const auto seed = crypto::random_secret<32>(seeded(2));
  const auto psk = crypto::random_secret<32>(seeded(3));
  ASSERT_TRUE(write_key_pair(io, "k/pair", pair));
  ASSERT_TRUE(write_public_key(io, "k/pub", pair.shown));
  ASSERT_TRUE(write_signing_seed(io, "k/seed", seed));
  ASSERT_TRUE(write_verify_key(io, "k/verify", crypto::verify_key(seed)));
  ASSERT_TRUE(write_psk(io, "k/psk", psk));

  const auto read_pair = read_key_pair(io, "k/pair");
  ASSERT_TRUE(read_pair) << error_of(read_pair);
  EXPECT_EQ(read_pair->shown, pair.shown);
  EXPECT_EQ(read_public_key(io, "k/pub").value(), pair.shown);
  EXPECT_TRUE(
      crypto::constant_time_equal(read_signing_seed(io, "k/seed").value().bytes(), seed.bytes()));
  EXPECT_EQ(read_verify_key(io, "k/verify").value(), crypto::verify_key(seed));
  EXPECT_TRUE(crypto::constant_time_equal(read_psk(io, "k/psk").value().bytes(), psk.bytes()));
}

TEST_F(KeyFiles, ConsistOfOneLineWithTheirKind) {
  ASSERT_TRUE(write_psk(io, "psk", secure::PreSharedKey{}));
  EXPECT_EQ(read("psk"), "jostle-psk-1 " + key_text + "\n");
}

TEST_F(KeyFiles, WithSecretsAreRejectedIfOthersMayReadThem) {
  for (const std::string name : {"jostle-x25519-1", "jostle-ed25519-1", "jostle-psk-1"})
    write(name, name + " " + key_text + "\n");
  EXPECT_THAT(error_of(read_key_pair(io, "jostle-x25519-1")), HasSubstr("chmod 600"));
  EXPECT_THAT(error_of(read_signing_seed(io, "jostle-ed25519-1")), HasSubstr("chmod 600"));
  EXPECT_THAT(error_of(read_psk(io, "jostle-psk-1")), HasSubstr("chmod 600"));
  write("pub", "jostle-x25519-public-1 " + key_text + "\n");
  EXPECT_TRUE(read_public_key(io, "pub")) << "a public key is no secret";
}

TEST_F(KeyFiles, WithOtherContentsAreRejectedWithoutQuotingThem) {
  const std::string head = "jostle-psk-1 ";
  const std::vector<std::string> wrong = {
      "",
      "\n",
      key_text,
      head,
      head + "\n",
      head + key_text.substr(1),
      head + key_text + "A",
      head + key_text + "\n\n",
      head + key_text + " \n",
      " " + head + key_text,
      "jostle-psk-1" + key_text,
      "jostle-psk-2 " + key_text,
      "jostle-x25519-1 " + key_text,
      head + "B" + key_text.substr(1, 41) + "=",
      head + key_text.substr(1) + "B",  // unused bits that are not zero
      head + key_text.substr(1) + std::string(1, '\0'),
      std::string(500, 'A'),
  };
  for (const std::string& text : wrong) {
    SCOPED_TRACE(text);
    write_secret("f", text);
    const std::string error = error_of(read_psk(io, "f"));
    EXPECT_THAT(error, StartsWith("f:1: expected the line 'jostle-psk-1 KEY'"));
    EXPECT_THAT(error, testing::Not(HasSubstr("AAAA")));
  }
  write_secret("f", std::string(2'000, 'A'));
  EXPECT_EQ(error_of(read_psk(io, "f")), "'f': the file is too large");
  EXPECT_EQ(error_of(read_psk(io, "none")), "'none': no such file or directory");
  // Every truncation of a valid file is rejected.
  const std::string whole = head + key_text;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_secret("f", whole.substr(0, length));
    EXPECT_FALSE(read_psk(io, "f")) << length;
  }
  write_secret("f", whole);
  EXPECT_TRUE(read_psk(io, "f")) << "the final newline may be missing";
}

TEST_F(KeyFiles, ReportAFullDisk) {
  io.set_disk_capacity_bytes(10);
  EXPECT_EQ(error_of(write_psk(io, "psk", {})), "'psk': no space left on the disk");
}

TEST(Folders, UseXdgConfigHomeOrElseHome) {
  EXPECT_EQ(config_folder("/x", "/home/ann"), "/x/jostle");
  EXPECT_EQ(config_folder(nullptr, "/home/ann"), "/home/ann/.config/jostle");
  EXPECT_EQ(config_folder("", "/home/ann"), "/home/ann/.config/jostle");
  EXPECT_EQ(config_folder("relative", "/home/ann"), "/home/ann/.config/jostle");
  EXPECT_EQ(config_folder(nullptr, nullptr), std::nullopt);
  EXPECT_EQ(config_folder("", ""), std::nullopt);
  EXPECT_EQ(config_folder("x", "y"), std::nullopt);
}

TEST(Lifetime, ParsesAWholeNumberAndAUnit) {
  EXPECT_EQ(parse_lifetime("90s"), 90);
  EXPECT_EQ(parse_lifetime("10m"), 600);
  EXPECT_EQ(parse_lifetime("12h"), 43'200);
  EXPECT_EQ(parse_lifetime("7d"), 604'800);
  EXPECT_EQ(parse_lifetime("3650d"), max_lifetime_s);
  for (const char* const wrong : {"", "s", "10", "0s", "-5m", "+5m", "1.5h", "5 m", " 5m", "5m ",
                                  "5w", "5M", "3651d", "99999999999999999999s", "1e3s", "5mm"}) {
    EXPECT_EQ(parse_lifetime(wrong), std::nullopt) << wrong;
    EXPECT_THAT(lifetime_fault(wrong), HasSubstr("90s, 10m, 12h or 7d")) << wrong;
  }
  EXPECT_EQ(lifetime_fault("10m"), "");
}

TEST(Lifetime, FormatsTimesInUtc) {
  EXPECT_EQ(utc_text(0), "1970-01-01 00:00:00 UTC");
  EXPECT_EQ(utc_text(951'782'399), "2000-02-28 23:59:59 UTC");
  EXPECT_EQ(utc_text(951'782'400), "2000-02-29 00:00:00 UTC");
  EXPECT_EQ(utc_text(1'800'000'000), "2027-01-15 08:00:00 UTC");
  EXPECT_EQ(utc_text(-1), "1969-12-31 23:59:59 UTC");
  EXPECT_EQ(utc_text(253'402'300'799), "9999-12-31 23:59:59 UTC");
  EXPECT_EQ(utc_text(INT64_MAX), "9223372036854775807");
  EXPECT_EQ(utc_text(INT64_MIN), "-9223372036854775808");
}

}  // namespace
}  // namespace jostle::keyring

#include "shared/net/path_validation.h"

#include "tests/net/net_fixture.h"

namespace jostle::net {
namespace {

constexpr Address home{.ip = 0x0A000001, .port = 1}, other{.ip = 0x0A000002, .port = 2};
constexpr std::uint64_t number = 0x0123456789ABCDEFU;

TEST(PathValidation, TheAddressOfTheCookieHasNoLimit) {
  PathValidation path(home);
  EXPECT_TRUE(path.take_credit(1'000'000));
  EXPECT_FALSE(path.hear_from(home, 100, 0));
  EXPECT_FALSE(path.next_question(0).has_value());
}

TEST(PathValidation, AnUnprovenAddressMayReceiveThreeTimesWhatItSent) {
  PathValidation path(home);
  EXPECT_TRUE(path.hear_from(other, 100, number));
  EXPECT_EQ(path.address(), other);
  EXPECT_EQ(path.proven(), home);
  EXPECT_TRUE(path.take_credit(200));
  EXPECT_FALSE(path.take_credit(200));
  EXPECT_TRUE(path.take_credit(100));
  EXPECT_FALSE(path.hear_from(other, 100, 0)) << "the address is already being checked";
  EXPECT_TRUE(path.take_credit(300));
}

TEST(PathValidation, TheRightAnswerFromTheNewAddressProvesIt) {
  PathValidation path(home);
  path.hear_from(other, 100, number);
  const auto question = path.next_question(1'000);
  ASSERT_TRUE(question.has_value());
  EXPECT_EQ(path_text_kind(*question), PathTextKind::Challenge);
  EXPECT_FALSE(path.next_question(100'000).has_value());
  EXPECT_EQ(path.next_question(251'000), question) << "it may have been lost";
  PathText wrong = answer_to(*question);
  wrong.back() ^= std::byte{1};
  path.handle_answer(wrong, other);
  EXPECT_FALSE(path.is_proven());
  path.handle_answer(answer_to(*question), home);
  EXPECT_FALSE(path.is_proven());
  path.handle_answer(answer_to(*question), other);
  EXPECT_TRUE(path.is_proven());
  EXPECT_TRUE(path.take_credit(1'000'000));
}

TEST(PathValidation, ReturningToAProvenAddressNeedsNoProof) {
  PathValidation path(home);
  path.hear_from(other, 100, number);
  EXPECT_FALSE(path.hear_from(home, 100, number + 1));
  EXPECT_TRUE(path.is_proven());
  // A response to the challenge of the second address must not validate a third address.
  PathValidation moved(home);
  moved.hear_from(other, 100, number);
  const auto question = moved.next_question(0);
  const Address third{.ip = 0x0A000003, .port = 3};
  EXPECT_TRUE(moved.hear_from(third, 100, number + 1));
  moved.handle_answer(answer_to(*question), third);
  EXPECT_FALSE(moved.is_proven());
}

TEST(PathValidation, PathTextsCannotBeConfusedWithEnetDatagrams) {
  std::vector<std::byte> text(path_text_bytes, std::byte{0xFF});
  EXPECT_FALSE(path_text_kind(text).has_value());
  text[1] = std::byte{1};
  EXPECT_TRUE(path_text_kind(text).has_value());
  // The firewall rejects an ENet datagram that begins like a path text, because its compression
  // flag is set.
  EXPECT_EQ(inspect(text), DatagramVerdict::Compressed);
  text.push_back({});
  EXPECT_FALSE(path_text_kind(text).has_value());
}

}  // namespace
}  // namespace jostle::net

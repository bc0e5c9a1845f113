#include "shared/lan/lan_wire.h"

#include "tests/lan/sample_server_info.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace jostle::lan {
namespace {

using Bytes = std::vector<std::byte>;

Bytes sample_answer() {
  return encode(
      DiscoveryResponse{.nonce = 0x0807060504030201, .instance = 9, .facts = sample_server_info()});
}

/// Returns the fault of a valid answer in which byte `at` was set to `value`.
DecodeError fault_with(std::size_t at, int value) {
  Bytes bytes = sample_answer();
  bytes[at] = static_cast<std::byte>(value);
  const auto answer = decode_answer(bytes);
  EXPECT_FALSE(answer);
  return answer ? DecodeError::WrongLength : answer.error();
}

TEST(LanWire, AProbeRoundTripsAndIsPadded) {
  const Bytes bytes = encode(DiscoveryRequest{.nonce = 0x0807060504030201});
  EXPECT_EQ(bytes.size(), 1'200U);
  const auto probe = decode_probe(bytes);
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->nonce, 0x0807060504030201U);
}

// Checks the offsets documented in docs/SECURITY.md.
TEST(LanWire, FieldsAreAtTheDocumentedOffsets) {
  const Bytes probe = encode(DiscoveryRequest{.nonce = 0x0807060504030201});
  const auto byte = [](const Bytes& bytes, std::size_t at) { return static_cast<int>(bytes[at]); };
  for (const auto& [at, value] : {std::pair{0, int{'j'}},
                                  {1, int{'l'}},
                                  {2, int{'a'}},
                                  {3, int{'n'}},
                                  {4, 1},
                                  {5, 1},
                                  {6, 0},
                                  {8, 1},
                                  {15, 8},
                                  {16, 0}})
    EXPECT_EQ(byte(probe, static_cast<std::size_t>(at)), value) << at;
  const Bytes answer = sample_answer();
  for (const auto& [at, value] :
       {std::pair{4, 2}, {5, 1},   {6, 0x61}, {7, 0x1E}, {8, 1},  {15, 8},        {16, 9},
        {24, 1},         {26, 1},  {28, 2},   {30, 2},   {31, 5}, {32, 3},        {40, 4},
        {48, 3},         {50, 16}, {52, 0},   {83, 31},  {84, 6}, {85, int{'A'}}, {90, int{'c'}}})
    EXPECT_EQ(byte(answer, static_cast<std::size_t>(at)), value) << at;
  EXPECT_EQ(answer.size(), 96U);
}

TEST(LanWire, AnAnswerRoundTrips) {
  const auto answer = decode_answer(sample_answer());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->nonce, 0x0807060504030201U);
  EXPECT_EQ(answer->instance, 9U);
  const ServerInfo& facts = answer->facts;
  EXPECT_EQ(facts.port, 7777);
  EXPECT_EQ(facts.access, secure::AccessMode::Token);
  EXPECT_TRUE(are_compatible(facts.protocol_version, sample_server_info().protocol_version));
  EXPECT_EQ(facts.protocol_version.minor, 2);
  EXPECT_EQ(facts.players, 3);
  EXPECT_EQ(facts.places, 16);
  EXPECT_EQ(facts.key, sample_server_info().key);
  EXPECT_EQ(facts.name, "Ann's");
  EXPECT_EQ(facts.scene, "crates");
}

TEST(LanWire, AnswersAreAtMostAFifthOfAProbe) {
  ServerInfo facts = sample_server_info(std::string(max_name_bytes, 'n'));
  facts.scene = std::string(max_scene_bytes, 's');
  const Bytes longest = encode(DiscoveryResponse{.facts = facts});
  EXPECT_EQ(longest.size(), max_answer_bytes);
  EXPECT_LE(longest.size() * 5, encode(DiscoveryRequest{}).size());
  EXPECT_TRUE(decode_answer(longest));
}

// Tries every truncation of a valid datagram, and the datagram with an additional byte.
TEST(LanWire, RejectsOtherLengths) {
  for (Bytes bytes : {encode(DiscoveryRequest{.nonce = 1}), sample_answer()}) {
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      const auto cut = std::span(bytes).first(length);
      EXPECT_FALSE(decode_probe(cut)) << length;
      EXPECT_FALSE(decode_answer(cut)) << length;
    }
    bytes.push_back(std::byte{0});
    EXPECT_FALSE(decode_probe(bytes));
    EXPECT_FALSE(decode_answer(bytes));
  }
}

TEST(LanWire, ReportsTheFaultOfAnInvalidDatagram) {
  EXPECT_EQ(decode_answer(Bytes(20)).error(), DecodeError::WrongLength);
  EXPECT_EQ(fault_with(0, 'J'), DecodeError::NotOurs);
  EXPECT_EQ(fault_with(4, 1), DecodeError::OtherKind);
  EXPECT_EQ(fault_with(5, 2), DecodeError::OtherLayout);
  EXPECT_EQ(fault_with(30, 3), DecodeError::UnknownAccess);
  EXPECT_EQ(fault_with(31, 65), DecodeError::BadText);
  EXPECT_EQ(fault_with(31, 4), DecodeError::WrongLength);
  EXPECT_EQ(fault_with(85, 0x1B), DecodeError::BadText);  // an escape character
  EXPECT_EQ(fault_with(95, 0xC3), DecodeError::BadText);  // an incomplete UTF-8 sequence
  Bytes portless = sample_answer();
  portless[6] = portless[7] = std::byte{0};
  EXPECT_EQ(decode_answer(portless).error(), DecodeError::NoPort);
  Bytes probe = encode(DiscoveryRequest{.nonce = 1});
  probe[7] = std::byte{1};
  EXPECT_EQ(decode_probe(probe).error(), DecodeError::NotZero);
  probe[7] = std::byte{0};
  probe.back() = std::byte{1};
  EXPECT_EQ(decode_probe(probe).error(), DecodeError::NotZero);
}

TEST(LanWire, EscapesTextsAndCutsThemBetweenCharacters) {
  EXPECT_EQ(fitted("crates", 64), "crates");
  EXPECT_EQ(fitted("a\x1b[2J", 64), "a\\x1b[2J");
  EXPECT_EQ(fitted("ää", 3), "ä");
  EXPECT_EQ(fitted("\x1b", 3), "");  // never half an escape sequence
  EXPECT_EQ(fitted("\xe2\x80\xae"
                   "abc",
                   64),
            "\\xe2\\x80\\xaeabc");  // this character reverses the direction of writing
}

TEST(LanWire, OnlyTheMinorVersionMayDiffer) {
  const ProtocolVersion own = sample_server_info().protocol_version;
  const auto with = [&](auto change) {
    ProtocolVersion other = own;
    change(other);
    return are_compatible(own, other);
  };
  EXPECT_TRUE(with([](ProtocolVersion& other) { ++other.minor; }));
  EXPECT_FALSE(with([](ProtocolVersion& other) { ++other.major; }));
  EXPECT_FALSE(with([](ProtocolVersion& other) { ++other.sealing; }));
  EXPECT_FALSE(with([](ProtocolVersion& other) { ++other.schema; }));
  EXPECT_FALSE(with([](ProtocolVersion& other) { ++other.priors; }));
}

}  // namespace
}  // namespace jostle::lan

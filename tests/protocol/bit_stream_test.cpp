#include "protocol/bit_stream.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace jostle::protocol {
namespace {

TEST(BitStream, ReadsBackWhatWasWritten) {
  base::Random random(1);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    struct Value {
      std::uint32_t value = 0;
      unsigned count = 0, order = 0;
      bool is_golomb = false;
    };
    std::vector<Value> values;
    BitWriter writer;
    for (int i = 0; i < 50; ++i) {
      Value v;
      v.count = random.below(33);
      v.order = random.below(8);
      v.is_golomb = random.chance(0.5f);
      const std::uint64_t limit = std::uint64_t{1} << v.count;
      v.value = static_cast<std::uint32_t>(random.next() & (limit - 1));
      if (v.is_golomb) {
        const std::size_t before = writer.bit_count();
        writer.golomb(v.value, v.order);
        EXPECT_EQ(writer.bit_count() - before, golomb_bits(v.value, v.order));
      } else {
        writer.bits(v.value, v.count);
      }
      values.push_back(v);
    }
    const std::vector<std::byte> bytes = writer.take();
    BitReader reader(bytes);
    for (const Value& v : values)
      EXPECT_EQ(v.is_golomb ? reader.golomb(v.order) : reader.bits(v.count), v.value);
    EXPECT_TRUE(reader.at_end());
  }
}

TEST(BitStream, EncodesTheLargestGolombValue) {
  for (const unsigned order : {0U, 7U}) {
    SCOPED_TRACE(order);
    BitWriter writer;
    writer.golomb(0xFFFFFFFFU, order);
    const std::vector<std::byte> bytes = writer.take();
    BitReader reader(bytes);
    EXPECT_EQ(reader.golomb(order), 0xFFFFFFFFU);
    EXPECT_TRUE(reader.at_end());
  }
}

TEST(BitStream, FailsWhenReadingPastTheEnd) {
  const std::vector<std::byte> bytes(2, std::byte{0xFF});
  BitReader reader(bytes);
  EXPECT_EQ(reader.bits(15), 0x7FFFU);
  EXPECT_EQ(reader.bits(2), 0U);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.bits(1), 0U) << "errors are permanent";
}

TEST(BitStream, RejectsAGolombCodeOfEndlessZeros) {
  const std::vector<std::byte> bytes(64);
  BitReader reader(bytes);
  reader.golomb(0);
  EXPECT_FALSE(reader.ok());
}

TEST(BitStream, RejectsAGolombValueBeyond32Bits) {
  std::vector<std::byte> bytes(32, std::byte{0xFF});
  for (int i = 0; i < 4; ++i)
    bytes[static_cast<std::size_t>(i)] = std::byte{0};  // 32 zero bits
  BitReader reader(bytes);
  reader.golomb(7);
  EXPECT_FALSE(reader.ok());
}

TEST(BitStream, AtEndRequiresZeroPadding) {
  const std::vector<std::byte> clean{std::byte{0x05}}, dirty{std::byte{0x85}};
  BitReader a(clean), b(dirty), c(clean);
  a.bits(3);
  b.bits(3);
  EXPECT_TRUE(a.at_end());
  EXPECT_FALSE(b.at_end());
  EXPECT_FALSE(c.at_end()) << "a whole byte is left";
}

TEST(BitStream, UnzigzagReversesZigzag) {
  constexpr std::int32_t low = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t high = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t value : {0, -1, 1, -2, 2, low, high}) {
    SCOPED_TRACE(value);
    EXPECT_EQ(unzigzag(zigzag(value)), value);
  }
  EXPECT_EQ(zigzag(-1), 1U);
  EXPECT_EQ(zigzag(1), 2U);
}

}  // namespace
}  // namespace jostle::protocol

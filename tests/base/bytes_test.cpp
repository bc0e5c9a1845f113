#include "shared/base/bytes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::base {
namespace {

TEST(Bytes, ReaderReturnsTheWrittenValues) {
  ByteWriter writer;
  writer.u8(7);
  writer.u16(0xBEEF);
  writer.u32(0xDEADBEEF);
  writer.u64(0x0123456789ABCDEFULL);
  writer.i32(-5);
  writer.i64(-6);
  writer.f32(-0.0f);
  writer.f64(1e300);
  writer.boolean(true);
  writer.text("kørper");

  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.u8(), 7);
  EXPECT_EQ(reader.u16(), 0xBEEF);
  EXPECT_EQ(reader.u32(), 0xDEADBEEF);
  EXPECT_EQ(reader.u64(), 0x0123456789ABCDEFULL);
  EXPECT_EQ(reader.i32(), -5);
  EXPECT_EQ(reader.i64(), -6);
  EXPECT_TRUE(std::signbit(reader.f32()));
  EXPECT_EQ(reader.f64(), 1e300);
  EXPECT_TRUE(reader.boolean());
  EXPECT_EQ(reader.text(100), "kørper");
  EXPECT_TRUE(reader.at_end());
}

TEST(Bytes, WriterUsesLittleEndianOrder) {
  ByteWriter writer;
  writer.u32(0x01020304);
  EXPECT_EQ(writer.bytes()[0], std::byte{4});
  EXPECT_EQ(writer.bytes()[3], std::byte{1});
}

TEST(Bytes, ReadingPastTheEndReturnsZeroAndFailsForGood) {
  const std::vector<std::byte> three(3, std::byte{0xFF});
  ByteReader reader(three);
  EXPECT_EQ(reader.u32(), 0U);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.u8(), 0U) << "a failed reader stays failed";
}

TEST(Bytes, CountLargerThanTheRemainingBytesIsRejected) {
  ByteWriter writer;
  writer.u32(1'000'000);
  writer.u32(0);
  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.count(4), 0U);
  EXPECT_FALSE(reader.ok());
}

TEST(Bytes, TextLongerThanItsLimitIsRejected) {
  ByteWriter writer;
  writer.text("too long");
  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.text(3), "");
  EXPECT_FALSE(reader.ok());
}

TEST(Bytes, BooleanOtherThanZeroOrOneIsRejected) {
  const std::vector<std::byte> two{std::byte{2}};
  ByteReader reader(two);
  (void)reader.boolean();
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace jostle::base

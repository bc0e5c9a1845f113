#include "tools/matrix/run_line.h"

#include <gtest/gtest.h>

#include <string>

namespace jostle::matrix {
namespace {

TEST(RunLine, ParsesAllFields) {
  const auto line = parse_run_line("  gallery/tower 18446744073709551615\t3600 64 plain\r");
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->scene, "gallery/tower");
  EXPECT_EQ(line->seed, 18446744073709551615ULL);
  EXPECT_EQ(line->ticks, 3600U);
  EXPECT_EQ(line->execution, (physics::Execution{64, simd::InstructionSet::Plain}));
}

TEST(RunLine, BestSelectsTheFastestSimdLevel) {
  const auto line = parse_run_line("bench/stacks 1 60 1 best");
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->execution.simd, simd::best_instruction_set());
}

TEST(RunLine, InvalidLinesAreRejectedWithAMessage) {
  const auto refusal = [](const std::string& text) {
    const auto line = parse_run_line(text);
    return line ? "none" : line.error();
  };
  EXPECT_EQ(refusal("gallery/tower 1 60 1"),
            "expected SCENE SEED TICKS THREADS SIMD, found 4 words");
  EXPECT_EQ(refusal("gallery/tower 1 60 1 plain 1"),
            "expected SCENE SEED TICKS THREADS SIMD, found 6 words");
  EXPECT_EQ(refusal("gallery/tower -1 60 1 plain"),
            "'-1' is not a seed: use a whole number from 0 to 2^64 - 1");
  EXPECT_EQ(refusal("gallery/tower 1 0 1 plain"),
            "'0' is not a number of ticks from 1 to 10000000");
  EXPECT_EQ(refusal("gallery/tower 1 10000001 1 plain"),
            "'10000001' is not a number of ticks from 1 to 10000000");
  EXPECT_EQ(refusal("gallery/tower 1 60 0 plain"), "'0' is not a number of threads from 1 to 64");
  EXPECT_EQ(refusal("gallery/tower 1 60 65 plain"), "'65' is not a number of threads from 1 to 64");
  EXPECT_EQ(refusal("gallery/tower 1 60 1 mmx"),
            "'mmx' is not an instruction set: use plain, sse2, avx2, neon or best");
  const char* foreign = simd::is_supported(simd::InstructionSet::Neon) ? "sse2" : "neon";
  EXPECT_EQ(refusal(std::string("gallery/tower 1 60 1 ") + foreign),
            std::string("this machine or this build does not support '") + foreign + "'");
}

}  // namespace
}  // namespace jostle::matrix

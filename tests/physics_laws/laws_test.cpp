// Checks the rows of docs/ACCURACY.md against their targets, or against the documented bound.
#include "tests/physics_laws/table.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

namespace jostle::physics::laws {

/// Describes a law in messages of the test.
static void PrintTo(const Law& law, std::ostream* out) {
  *out << "row " << law.row << ", " << law.name;
}

namespace {

const std::string& page() {
  static const std::string text = [] {
    std::ifstream file(JOSTLE_SOURCE_DIR "/docs/ACCURACY.md");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return text;
}

class Accuracy : public ::testing::TestWithParam<Law> {};

TEST_P(Accuracy, IsWithinItsBoundAndMatchesThePage) {
  const Law& law = GetParam();
  const double error = law.error();
  ASSERT_TRUE(std::isfinite(error));
  EXPECT_LE(error, bound_of(law)) << "row " << law.row << ", " << law.name << ": " << law.expected;
  if (law.reached != 0)
    EXPECT_GT(error, law.target) << law.name << " reaches its target: remove bound and reason";
  const std::string line = table_line(law, error);
  EXPECT_NE(page().find(line + "\n"), std::string::npos)
      << "docs/ACCURACY.md does not contain the line\n"
      << line << "\n`./run accuracy` writes the page again";
}

/// Laws that miss their target must give a reason, and their bound must be above the target.
TEST_P(Accuracy, GivesAReasonIfItMissesItsTarget) {
  const Law& law = GetParam();
  EXPECT_EQ(law.reached != 0, *law.reason != '\0');
  if (law.reached == 0) return;
  EXPECT_GT(law.reached, law.target);
  EXPECT_NE(page().find(law.reason), std::string::npos);
}

std::string name_of(const ::testing::TestParamInfo<Law>& info) {
  std::string name = "Row" + std::to_string(info.param.row) + "_";
  for (const char c : std::string(info.param.name))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  return name + "_" + std::to_string(info.index);
}
INSTANTIATE_TEST_SUITE_P(Laws, Accuracy, ::testing::ValuesIn(all_laws()), name_of);

}  // namespace
}  // namespace jostle::physics::laws

#include "shared/scene/detail/colour.h"
#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

namespace jostle::scene {
namespace {

std::string docs() {
  return read_text(std::filesystem::path(JOSTLE_SOURCE_DIR) / "docs" / "SCENES.md");
}

TEST(SceneDocs, ExamplesParse) {
  const std::string text = docs();
  const std::string opening = "```jsonc\n";
  int count = 0;
  for (std::size_t at = text.find(opening); at != std::string::npos;
       at = text.find(opening, at + 1)) {
    const std::size_t start = at + opening.size();
    const std::size_t end = text.find("```", start);
    ASSERT_NE(end, std::string::npos);
    const std::string example = text.substr(start, end - start);
    SCOPED_TRACE(example);
    // An example is a whole scene or some fields of one.
    const SceneDef scene = parsed(example[0] == '{' ? example : scene_with(example));
    EXPECT_FALSE(scene.name.empty());
    ++count;
  }
  EXPECT_GE(count, 2);
}

TEST(SceneDocs, MentionEveryFieldOfTheSchema) {
  const std::string text = docs();
  const std::string schema =
      read_text(std::filesystem::path(JOSTLE_SOURCE_DIR) / "shared/scene/scene.fbs");
  const std::regex field("\\n  ([a-z_]+):");
  std::set<std::string> names;
  for (std::sregex_iterator it(schema.begin(), schema.end(), field), end; it != end; ++it)
    names.insert((*it)[1]);
  EXPECT_GT(names.size(), 80U);
  for (const std::string& name : names)
    EXPECT_TRUE(text.find("`" + name + "`") != std::string::npos) << name;
}

TEST(SceneDocs, MentionEveryColourName) {
  const std::string text = docs();
  for (const std::string_view name : detail::colour_names())
    EXPECT_TRUE(text.find("`" + std::string(name) + "`") != std::string::npos) << name;
}

}  // namespace
}  // namespace jostle::scene

#include "shared/scene/detail/renamed_keys.h"

#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <tuple>

namespace jostle::scene {
namespace {

using Row = std::tuple<std::string, std::string, std::string>;  // definition, old name, new name

std::string source_file(const std::string& path) {
  return read_text(std::filesystem::path(JOSTLE_SOURCE_DIR) / path);
}

/// A kind of object of scripts/rename_scene_keys.py.
struct ObjectKind {
  std::string table;          // in scene.fbs
  std::string kind_enum;      // enum of its key `kind`, if values of it were renamed
  std::string before, after;  // fields of a scene around the fields of such an object
  std::string title;          // in docs/RENAMED.md
};

const std::map<std::string, ObjectKind> object_kinds{
    {"scene", {"Scene", "", "", "", "scene"}},
    {"world", {"World", "", R"("world": {)", "}", "world"}},
    {"body", {"Body", "", R"("bodies": [{)", "}]", "body, template"}},
    {"course",
     {"KinematicMotion", "", R"("bodies": [{"kinematic_motion": {)", "}}]", "kinematic motion"}},
    {"on_enter", {"Entry", "", R"("templates": [{"on_enter": {)", "}}]", "sensor action"}},
    {"shape", {"Shape", "", R"("bodies": [{"shape": {)", "}}]", "shape"}},
    {"height_field",
     {"HeightField", "", R"("bodies": [{"shape": {"height_field": {)", "}}}]", "height field"}},
    {"joint", {"Joint", "JointKind", R"("joints": [{)", "}]", "joint"}},
    {"assembly", {"Assembly", "", R"("assemblies": [{)", "}]", "assembly"}},
    {"generator", {"Generator", "", R"("generators": [{)", "}]", "generator"}},
    {"car", {"Car", "", R"("player": {"car": {)", "}}", "car"}},
    {"actuator", {"Push", "", R"("actuators": [{)", "}]", "actuator"}},
    {"explosion", {"Explosion", "", R"("explosions": [{)", "}]", "explosion"}},
    {"force_field", {"ForceField", "ForceKind", R"("force_fields": [{)", "}]", "force field"}},
    {"emitter", {"Emitter", "", R"("particles": [{"emitters": [{)", "}]}]", "emitter"}},
    {"particle_set", {"ParticleSet", "", R"("particles": [{)", "}]", "particle set"}},
    {"player", {"Player", "", R"("player": {)", "}", "player"}}};

/// Calls `visit(object kind, is a value of kind, old name, new name)` for each row of the script's
/// two tables.
template <typename Visit>
void visit_script(Visit visit) {
  const std::string text = source_file("scripts/rename_scene_keys.py");
  const std::size_t kinds = text.find("RENAMED_KINDS = ");
  ASSERT_NE(kinds, std::string::npos);
  const std::regex pattern(R"re(\("(\w+)", "(\w+)", "(\w+)"\))re");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    const std::smatch& row = *it;
    visit(object_kinds.at(row[1]), static_cast<std::size_t>(row.position()) > kinds, row[2].str(),
          row[3].str());
  }
}

TEST(RenamedSceneKeys, AreTheSameInTheLoaderAndInTheScript) {
  std::set<Row> loader, script;
  for (const detail::RenamedKey& row : detail::renamed_keys())
    loader.emplace(row.definition, row.old_name, row.new_name);
  visit_script([&](const ObjectKind& object, bool is_kind, const std::string& old_name,
                   const std::string& new_name) {
    script.emplace(is_kind ? object.kind_enum : object.table, old_name, new_name);
  });
  EXPECT_EQ(loader, script);
  EXPECT_EQ(loader.size(), detail::renamed_keys().size());
  EXPECT_EQ(loader.size(), 51U);
}

TEST(RenamedSceneKeys, AreListedInTheDocumentation) {
  const std::string docs = source_file("docs/RENAMED.md");
  visit_script([&](const ObjectKind& object, bool is_kind, const std::string& old_name,
                   const std::string& new_name) {
    const auto cell = [is_kind](const std::string& name) {
      return is_kind ? "`\"kind\": \"" + name + "\"`" : "`" + name + "`";
    };
    // A row may list several names: | joint | `over_a`, `over_b` | `ground_anchor_a`, ... |
    const std::regex row("\\| " + object.title + " \\|[^|\\n]*" + cell(old_name) + "[^|\\n]*\\|" +
                         "[^|\\n]*" + cell(new_name) + "[^|\\n]*\\|");
    EXPECT_TRUE(std::regex_search(docs, row)) << object.title << ": " << old_name;
  });
}

TEST(RenamedSceneKeys, CauseAnErrorThatNamesTheNewKey) {
  visit_script([](const ObjectKind& object, bool is_kind, const std::string& old_name,
                  const std::string& new_name) {
    const std::string field =
        is_kind ? "\"kind\": \"" + old_name + "\"" : "\"" + old_name + "\": 1";
    const std::string message = error_of(scene_with(object.before + field + object.after)).message;
    EXPECT_EQ(message, "\"" + old_name + "\" is now \"" + new_name +
                           "\"; scripts/rename_scene_keys.py converts the file");
  });
}

TEST(RenamedSceneKeys, AreReportedWithLineAndColumn) {
  EXPECT_EQ(refusal("{\"player\": {\n  \"skin\": 0.01}}"),
            "test.scene.json:2:3: \"skin\" is now \"skin_width\"; "
            "scripts/rename_scene_keys.py converts the file");
}

/// Returns the words in the string literals of a C++ source.
std::set<std::string> literal_words(const std::string& source) {
  static const std::regex noise(R"re(#include[^\n]*|//[^\n]*|'(\\.|[^'\\\n])')re");
  static const std::regex literal(R"re("((?:\\.|[^"\\\n])*)")re");
  static const std::regex word("[a-z0-9]+(_[a-z0-9]+)*");
  const std::string code = std::regex_replace(source, noise, "");
  std::set<std::string> words;
  for (std::sregex_iterator it(code.begin(), code.end(), literal), end; it != end; ++it) {
    const std::string text = (*it)[1];
    for (std::sregex_iterator at(text.begin(), text.end(), word); at != end; ++at)
      words.insert(at->str());
  }
  return words;
}

TEST(SceneErrorTexts, NameOnlyKeysOfTheSchema) {
  std::set<std::string> known;
  const std::string schema =
      std::regex_replace(source_file("shared/scene/scene.fbs"), std::regex("//[^\n]*"), "");
  const std::regex identifier("\\w+");
  for (std::sregex_iterator it(schema.begin(), schema.end(), identifier), end; it != end; ++it)
    known.insert(it->str());
  std::set<std::string> old_names;
  for (const detail::RenamedKey& row : detail::renamed_keys())
    old_names.emplace(row.old_name);

  // The literals of these files are not messages about keys, but names of bodies, tags of hashes or
  // syntax.
  const std::set<std::string> others{"build_car.cpp",  "build_ragdoll.cpp", "json_check.cpp",
                                     "json_lexer.cpp", "renamed_keys.cpp",  "scene_hash.cpp"};
  const std::filesystem::path folder = std::filesystem::path(JOSTLE_SOURCE_DIR) / "shared/scene";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".cpp" || others.count(path.filename().string()) != 0) continue;
    ++files;
    for (const std::string& word : literal_words(read_text(path))) {
      if (known.count(word) != 0) continue;
      EXPECT_EQ(word.find('_'), std::string::npos) << path << ": " << word << " is not a key";
      EXPECT_EQ(old_names.count(word), 0U) << path << ": " << word << " is the old name of a key";
    }
  }
  EXPECT_GT(files, 15);
}

}  // namespace
}  // namespace jostle::scene

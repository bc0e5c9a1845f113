#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace jostle::scene {
namespace {

/// Returns `beginning` with the hint that follows if an unknown field resembles no known one.
std::string unlisted(const std::string& beginning) {
  return beginning + "; docs/SCENES.md lists the fields";
}

using namespace std::string_literals;

struct SyntaxCase {
  const char* name;
  std::string text;
  const std::string error;
};

std::ostream& operator<<(std::ostream& out, const SyntaxCase& row) {
  return out << row.name;
}

class SceneSyntax : public testing::TestWithParam<SyntaxCase> {};

TEST_P(SceneSyntax, ErrorsStateLineAndColumn) {
  EXPECT_EQ(error_of(GetParam().text).text(), std::string("test.scene.json:") + GetParam().error);
}

const SyntaxCase syntax_cases[] = {
    {"Empty", "", "1:1: the file is empty"},
    {"OnlySpace", " \n  ", "2:3: the file is empty"},
    {"OnlyByteOrderMark", "\xEF\xBB\xBF", "1:1: the file is empty"},
    {"OnlyComment", "// nothing", "1:11: the file is empty"},
    {"List", "[]", "1:1: expected {...} for the scene, found \"[\""},
    {"Number", "3", "1:1: expected {...} for the scene, found number 3"},
    {"Utf16", "\xFF\xFE{"s, "1:1: invalid UTF-8"},
    {"Garbage", "\x7F\x45\x4C\x46\x02\x01"s, "1:1: unknown character"},
    {"ZeroByte", "{\"name\":\0\"a\"}"s, "1:9: name: zero byte"},
    {"ZeroByteAfterTheEnd", "{}\n\0"s, "2:1: zero byte"},
    {"ZeroByteInComment", "{//\0\n}"s, "1:4: zero byte"},
    {"ZeroByteInText", "{\"na\0me\": 1}"s, "1:5: control character in text"},
    {"TextBehind", "{}\nx", "2:1: expected the end of the file, found x"},
    {"SecondScene", "{}{}", "1:3: expected the end of the file, found \"{\""},
    {"MissingBrace", "{\"name\": \"a\"",
     "1:13: expected \",\" or \"}\", found the end of the file"},
    {"MissingBracket", "{\"bodies\": [{}",
     "1:15: expected \",\" or \"]\", found the end of the file"},
    {"WrongBracket", "{\"bodies\": [{}}", "1:15: expected \",\" or \"]\", found \"}\""},
    {"MissingComma", "{\"name\": \"a\"\n \"camera\": {}}",
     "2:2: expected \",\" or \"}\", found text \"camera\""},
    {"TwoCommas", "{\"name\": \"a\",, }", "1:14: expected a field name or \"}\", found \",\""},
    {"OnlyComma", "{,}", "1:2: expected a field name or \"}\", found \",\""},
    {"MissingColon", "{\"name\" \"a\"}", "1:9: expected \":\", found text \"a\""},
    {"MissingValue", "{\"name\": }", "1:10: name: expected text in double quotes, found \"}\""},
    {"UnquotedField", "{name: \"a\"}", "1:2: field names must be in double quotes: name"},
    {"SingleQuotes", "{'name': 1}", "1:2: unknown character"},
    {"UnknownField", "{\"nmae\": 1}", "1:2: unknown field: nmae; did you mean \"name\"?"},
    {"UnknownFieldInBody", "{\n  \"bodies\": [\n    {\"masss\":\n 3}]}",
     "3:6: unknown field: masss; did you mean \"mass\"?"},
    {"FieldOfAnInnerObject", "{\"gravity\": [0, -1, 0]}",
     "1:2: unknown field: gravity; did you mean \"world.gravity\"?"},
    {"UnknownFieldWithoutHint", "{\"quantum\": 1}", unlisted("1:2: unknown field: quantum")},
    {"UnknownFieldWithCarriageReturns", "{\r\n  \"name\": \"a\",\r\n  \"x\": 1}",
     unlisted("3:3: unknown field: x")},
    {"UnknownFieldWithNewline", "{\"a\\nb\": 1}", unlisted("1:2: unknown field: a?b")},
    {"UnknownLongField", "{\"" + std::string(100, 'x') + "\": 1}",
     unlisted("1:2: unknown field: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...")},
    {"SchemaFieldBelowTheTop", "{\"camera\": {\"$schema\": \"a\"}}",
     unlisted("1:13: unknown field: $schema")},
    {"RepeatedField", "{\"name\": \"a\", \"camera\": {},\n\"name\": \"b\"}",
     "2:1: field given twice: name"},
    {"RepeatedFieldByEscape", "{\"name\": \"a\", \"n\\u0061me\": \"b\"}",
     "1:15: field given twice: name"},
    {"TextForNumber", "{\"bodies\": [{\"mass\": \"3\"}]}",
     "1:22: bodies[0].mass: expected a number, found text \"3\"; remove the quotes"},
    {"NanForNumber", "{\"bodies\": [{\"mass\": nan}]}",
     "1:22: bodies[0].mass: expected a number, found nan"},
    {"InfinityForNumber", "{\"bodies\": [{\"mass\": -inf}]}",
     "1:22: bodies[0].mass: invalid number: it must begin with a digit, or with - and a digit"},
    {"NullForNumber", "{\"bodies\": [{\"mass\": null}]}",
     "1:22: bodies[0].mass: expected a number, found null; leave the key out for its default"},
    {"NullForTable", "{\"world\": null}", "1:11: world: expected an object {...}, found null"},
    {"FunctionForNumber", "{\"bodies\": [{\"mass\": sin(1)}]}",
     "1:22: bodies[0].mass: expected a number, found sin"},
    {"BoolForNumber", "{\"bodies\": [{\"mass\": true}]}",
     "1:22: bodies[0].mass: expected a number, found true"},
    {"ListForNumber", "{\"bodies\": [{\"mass\": [1]}]}",
     "1:22: bodies[0].mass: expected a number, found \"[\""},
    {"HexadecimalNumber", "{\"bodies\": [{\"mass\": 0x10}]}",
     "1:22: bodies[0].mass: invalid number"},
    {"LeadingZero", "{\"bodies\": [{\"mass\": 010}]}",
     "1:22: bodies[0].mass: invalid number: leading zeros are not allowed"},
    {"LeadingPlus", "{\"bodies\": [{\"mass\": +1}]}",
     "1:22: bodies[0].mass: invalid number: it must begin with a digit, or with - and a digit"},
    {"LeadingPoint", "{\"bodies\": [{\"mass\": .5}]}",
     "1:22: bodies[0].mass: invalid number: it must begin with a digit, or with - and a digit"},
    {"TrailingPoint", "{\"bodies\": [{\"mass\": 5.}]}",
     "1:22: bodies[0].mass: invalid number: digits must follow the decimal point"},
    {"EmptyExponent", "{\"bodies\": [{\"mass\": 5e}]}",
     "1:22: bodies[0].mass: invalid number: digits must follow the e"},
    {"TwoPoints", "{\"bodies\": [{\"mass\": 1.2.3}]}", "1:22: bodies[0].mass: invalid number"},
    {"NumberForBool", "{\"bodies\": [{\"awake\": 1}]}",
     "1:23: bodies[0].awake: expected true or false, found number 1"},
    {"TextForBool", "{\"bodies\": [{\"awake\": \"true\"}]}",
     "1:23: bodies[0].awake: expected true or false, found text \"true\"; remove the quotes"},
    {"NumberForText", "{\"name\": 3}",
     "1:10: name: expected text in double quotes, found number 3"},
    {"WordForText", "{\"name\": crates}",
     "1:10: name: expected text in double quotes, found crates"},
    {"TableAsList", "{\"camera\": [[1, 2, 3], [4, 5, 6]]}",
     "1:12: camera: expected an object {...}, found \"[\""},
    {"ListAsTable", "{\"bodies\": {}}", "1:12: bodies: expected a list [...], found \"{\""},
    {"TextInNumberList", "{\"spawns\": [{\"position\": [0, \"1\", 0]}]}",
     "1:30: spawns[0].position[1]: expected a number, found text \"1\"; remove the quotes"},
    {"UnknownEnumName", "{\"bodies\": [{\"motion_type\": \"dynamik\"}]}",
     "1:29: bodies[0].motion_type: expected \"static\", \"kinematic\" or \"dynamic\", found text "
     "\"dynamik\"; did you mean \"dynamic\"?"},
    {"TwoEnumNames", "{\"bodies\": [{\"motion_type\": \"static dynamic\"}]}",
     "1:29: bodies[0].motion_type: expected \"static\", \"kinematic\" or \"dynamic\", found text "
     "\"static dynamic\""},
    {"NumberForEnum", "{\"bodies\": [{}, {\"motion_type\": 2}]}",
     "1:33: bodies[1].motion_type: expected \"static\", \"kinematic\" or \"dynamic\", found number "
     "2"},
    {"UnknownKindOfPlayer", "{\"player\": {\"kind\": \"charakter\"}}",
     "1:21: player.kind: expected \"body\", \"character\" or \"car\", found text \"charakter\"; "
     "did you "
     "mean \"character\"?"},
    {"NumberForKindOfJoint", "{\"joints\": [{\"kind\": 1}]}",
     "1:22: joints[0].kind: expected \"ball\", \"hinge\", \"slider\", \"fixed\", \"distance\", "
     "\"wheel\", "
     "\"six_dof\", \"servo\", \"gear\", \"rack_and_pinion\" or \"pulley\", found number 1"},
    {"UnknownRuleInShape", "{\"bodies\": [{\"shapes\": [{}, {\"friction_rule\": \"averages\"}]}]}",
     "1:47: bodies[0].shapes[1].friction_rule: expected \"geometric_mean\", \"average\", "
     "\"minimum\", "
     "\"multiply\" or \"maximum\", found text \"averages\"; did you mean \"average\"?"},
    {"WrongEntryOfTextList", "{\"bodies\": [{\"motion_locks\": [\"linear_x\", 1]}]}",
     "1:43: bodies[0].motion_locks[1]: expected text in double quotes, found number 1"},
    {"DeepNesting", "{\"bodies\": " + std::string(100'000, '['),
     "1:13: bodies[0]: expected an object {...}, found \"[\""},
    {"DeepObjects", "{\"camera\": {\"eye\": " + std::string(100'000, '{'),
     "1:20: camera.eye: expected a list [...], found \"{\""},
    {"OpenText", "{\"name\": \"a\n\"}", "1:10: name: text without a closing quote"},
    {"OpenTextAtTheEnd", "{\"name\": \"a", "1:10: name: text without a closing quote"},
    {"OpenEscapeAtTheEnd", "{\"name\": \"a\\", "1:12: name: unknown escape in text"},
    {"UnknownEscape", "{\"name\": \"a\\x41\"}", "1:12: name: unknown escape in text"},
    {"LoneHighSurrogate", "{\"name\": \"\\ud83d\"}", "1:11: name: unknown escape in text"},
    {"LoneLowSurrogate", "{\"name\": \"\\ude00\"}", "1:11: name: unknown escape in text"},
    {"OverlongUtf8", "{\"name\": \"\xC0\xAF\"}", "1:11: name: invalid UTF-8"},
    {"Utf8Surrogate", "{\"name\": \"\xED\xA0\x80\"}", "1:11: name: invalid UTF-8"},
    {"CutUtf8InComment", "{// \xE2\x82\n}", "1:5: invalid UTF-8"},
    {"OpenComment", "{\n  /* name", "2:3: comment without a closing */"},
    {"LoneSlash", "{\n  / name", "2:3: unknown character"},
};

INSTANTIATE_TEST_SUITE_P(, SceneSyntax, testing::ValuesIn(syntax_cases),
                         [](const auto& row) { return row.param.name; });

struct WordCase {
  const char* path;
  std::string before;  // text of the scene before the word
  const char* word;    // misspelt; without its last letter, it is accepted
};

TEST(SceneWords, ErrorsNameThePathTheAcceptedWordsAndTheLikelyOne) {
  const WordCase cases[] = {
      {"bodies[0].motion_type", R"({"bodies": [{"motion_type": )", "staticc"},
      {"bodies[0].integrator", R"({"bodies": [{"integrator": )", "midpointt"},
      {"bodies[0].friction_rule", R"({"bodies": [{"friction_rule": )", "averagee"},
      {"bodies[0].shape.restitution_rule", R"({"bodies": [{"shape": {"restitution_rule": )",
       "minimumm"},
      {"materials[0].restitution_rule", R"({"materials": [{"restitution_rule": )", "multiplyy"},
      {"templates[0].motion_type", R"({"templates": [{"motion_type": )", "dynamicc"},
      {"generators[0].kind", R"({"generators": [{"kind": )", "pyramidd"},
      {"generators[0].body.motion_type", R"({"generators": [{"body": {"motion_type": )", "staticc"},
      {"joints[0].kind", R"({"joints": [{"kind": )", "hingee"},
      {"assemblies[0].kind", R"({"assemblies": [{"kind": )", "ragdolll"},
      {"assemblies[0].car.drive", R"({"assemblies": [{"car": {"drive": )", "frontt"},
      {"force_fields[0].kind", R"({"force_fields": [{"kind": )", "fluidd"},
      {"particles[0].integrator", R"({"particles": [{"integrator": )", "midpointt"},
      {"labels[0].kind", R"({"labels": [{"kind": )", "speedd"},
      {"player.kind", R"({"player": {"kind": )", "characterr"},
  };
  for (const WordCase& row : cases) {
    const std::string word = row.word;
    const SceneError error = error_of(row.before + '"' + word + '"');
    EXPECT_EQ(error.path, row.path);
    EXPECT_TRUE(error.message.starts_with("expected \"")) << row.path << ": " << error.message;
    const std::string known = word.substr(0, word.size() - 1);
    EXPECT_TRUE(
        error.message.ends_with("found text \"" + word + "\"; did you mean \"" + known + "\"?"))
        << row.path << ": " << error.message;
  }
}

TEST(SceneText, AcceptsCommentsTrailingCommasAndAByteOrderMark) {
  const SceneDef scene = parsed(
      "\xEF\xBB\xBF/* first */{ // one\r\n"
      "  /// three strokes\r\n"
      "  \"$schema\": \"scene.schema.json\", /// behind something\n"
      "  \"name\": \"a // b\", /* \xC3\xA4, \"name\": 3 */\n"
      "  \"spawns\": [{\"position\": [0, 1e0, -0.0e+1,],},],\n"
      "}// end");
  EXPECT_EQ(scene.name, "a // b");
  ASSERT_EQ(scene.spawns.size(), 1U);
  EXPECT_EQ(scene.spawns[0].position, (math::Position{0, 1, 0}));
}

TEST(SceneText, ResolvesEscapes) {
  const std::string text =
      R"({"name": "\"\\\/\u00e4\ud83d\ude00", "spawns": [{"position": [0, 1, 0]}]})";
  EXPECT_EQ(parsed(text).name, "\"\\/\xC3\xA4\xF0\x9F\x98\x80");
}

}  // namespace
}  // namespace jostle::scene

#include "shared/scene/detail/json_check.h"

#include "shared/base/assert.h"
#include "shared/scene/detail/json_lexer.h"
#include "shared/scene/detail/renamed_keys.h"
#include "shared/scene/detail/spelling.h"

#include <flatbuffers/idl.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::scene::detail {
namespace {

/// Text that follows the name of an unknown field if no known field resembles it.
constexpr std::string_view where_fields_are_listed = "; docs/SCENES.md lists the fields";

/// Maximum number of entries of a list. It limits the memory that FlatBuffers' parser uses per
/// list.
constexpr std::size_t max_list_entries = max_scene_bodies;

std::string described(const Token& token) {
  switch (token.kind) {
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::Text:
      return "text \"" + printable(unescaped(token.source)) + "\"";
    case TokenKind::Number:
      return "number " + printable(token.source);
    case TokenKind::Mark:
      return "\"" + std::string(token.source) + "\"";
    case TokenKind::Word:
      return printable(token.source);
    case TokenKind::Bad:
      break;
  }
  return token.problem;
}

/// Returns advice for a value of the wrong type: a text that contains a number or a truth value, or
/// null.
std::string type_hint(const Token& token) {
  if (token.kind == TokenKind::Word && token.source == "null")
    return "; leave the key out for its default";
  if (token.kind != TokenKind::Text) return "";
  const std::string content = unescaped(token.source);
  JsonLexer lexer(content);
  const Token inner = lexer.next();
  const bool is_bool =
      inner.kind == TokenKind::Word && (inner.source == "true" || inner.source == "false");
  const bool is_whole = inner.source.size() == content.size();
  return is_whole && (is_bool || inner.kind == TokenKind::Number) ? "; remove the quotes" : "";
}

/// A check of a text against the schema, which stops at the first error. All functions except run()
/// return false after an error; run() returns the error.
class SchemaWalk {
 public:
  explicit SchemaWalk(std::string_view text) : lexer_(text) {}

  std::optional<SceneError> run(const flatbuffers::StructDef& root) {
    advance();
    if (token_.kind == TokenKind::End) {
      fail("the file is empty");
    } else if (walk_table(root, true) && token_.kind != TokenKind::End) {
      fail_expected("the end of the file");
    }
    return error_;
  }

 private:
  void advance() { token_ = lexer_.next(); }

  bool fail_at(TextPlace place, std::string message) {
    error_ = SceneError{{}, place.line, place.column, {}, std::move(message)};
    return false;
  }
  bool fail(std::string message) { return fail_at(token_.place, std::move(message)); }
  bool fail_expected(const std::string& what) {
    if (token_.kind == TokenKind::Bad) return fail(token_.problem);
    return fail("expected " + what + ", found " + described(token_));
  }

  /// Fails with the path of the current value.
  bool fail_value(const std::string& what, const std::string& hint = {}) {
    if (token_.kind == TokenKind::Bad) {
      fail(token_.problem);
    } else {
      fail("expected " + what + ", found " + described(token_) + hint);
    }
    error_->path = path();
    return false;
  }

  /// Returns the path of the current value: "bodies[0].mass"; empty for the scene.
  std::string path() const {
    std::string text;
    for (const Step& step : steps_) {
      if (step.name.empty()) {
        text += "[" + std::to_string(step.index) + "]";
      } else {
        text += (text.empty() ? "" : ".") + std::string(step.name);
      }
    }
    return text;
  }

  bool expect(char mark) {
    if (!token_.is(mark)) return fail_expected(std::string("\"") + mark + "\"");
    advance();
    return true;
  }

  /// Consumes a comma between entries, or stops at the closing mark. A trailing comma is allowed.
  bool walk_separator(char closing) {
    if (token_.is(closing)) return true;
    if (!token_.is(',')) return fail_expected(std::string("\",\" or \"") + closing + "\"");
    advance();
    return true;
  }

  /// Returns "; did you mean \"world.gravity\"?" for the name of a field that only an object in
  /// this table has, or an empty string.
  static std::string nested_hint(const flatbuffers::StructDef& table, const std::string& name) {
    for (const flatbuffers::FieldDef* const field : table.fields.vec) {
      const flatbuffers::StructDef* const inner = field->value.type.struct_def;
      if (field->value.type.base_type == flatbuffers::BASE_TYPE_STRUCT && !inner->fixed &&
          inner->fields.Lookup(name) != nullptr)
        return "; did you mean \"" + field->name + "." + name + "\"?";
    }
    return {};
  }

  bool walk_table(const flatbuffers::StructDef& table, bool is_root) {
    if (!token_.is('{')) return fail_value(is_root ? "{...} for the scene" : "an object {...}");
    advance();
    std::vector<const flatbuffers::FieldDef*> seen;
    while (!token_.is('}')) {
      if (!walk_field(table, seen, is_root)) return false;
      if (!walk_separator('}')) return false;
    }
    advance();
    return true;
  }

  bool walk_field(const flatbuffers::StructDef& table,
                  std::vector<const flatbuffers::FieldDef*>& seen, bool is_root) {
    if (token_.kind == TokenKind::Word)
      return fail("field names must be in double quotes: " + printable(token_.source));
    if (token_.kind != TokenKind::Text) return fail_expected("a field name or \"}\"");
    const TextPlace place = token_.place;
    const std::string name = unescaped(token_.source);
    advance();
    if (is_root && name == "$schema") {  // editors use it to find the schema
      if (!expect(':')) return false;
      return walk_step({"$schema", 0}, [this] { return walk_text(); });
    }
    const flatbuffers::FieldDef* field = table.fields.Lookup(name);
    if (field == nullptr) {
      std::string renamed = rename_hint(table.name, name);
      if (!renamed.empty()) return fail_at(place, std::move(renamed));
      std::vector<std::string_view> known;
      for (const flatbuffers::FieldDef* candidate : table.fields.vec)
        known.push_back(candidate->name);
      std::string hint = nested_hint(table, name);
      if (hint.empty()) hint = spelling_hint(name, known);
      return fail_at(place, "unknown field: " + printable(name) +
                                (hint.empty() ? std::string(where_fields_are_listed) : hint));
    }
    if (std::find(seen.begin(), seen.end(), field) != seen.end())
      return fail_at(place, "field given twice: " + name);
    seen.push_back(field);
    return expect(':') &&
           walk_step({field->name, 0}, [&] { return walk_value(field->value.type); });
  }

  /// A step of the path to a value: the name of a field, or the index of an entry if the name is
  /// empty.
  struct Step {
    std::string_view name;
    std::size_t index = 0;
  };
  /// Calls `walk` with `step` at the end of the path.
  template <typename Walk>
  bool walk_step(Step step, const Walk& walk) {
    steps_.push_back(step);
    const bool is_good = walk();
    steps_.pop_back();
    return is_good;
  }

  bool walk_value(const flatbuffers::Type& type) {
    if (type.enum_def != nullptr) return walk_enum(*type.enum_def);
    switch (type.base_type) {
      case flatbuffers::BASE_TYPE_STRUCT:
        return walk_table(*type.struct_def, false);
      case flatbuffers::BASE_TYPE_VECTOR:
        return walk_list(type.VectorType());
      case flatbuffers::BASE_TYPE_STRING:
        return walk_text();
      case flatbuffers::BASE_TYPE_BOOL:
        return walk_bool();
      default:
        return walk_number();
    }
  }

  bool walk_list(const flatbuffers::Type& entry) {
    if (!token_.is('[')) return fail_value("a list [...]");
    advance();
    for (std::size_t count = 0; !token_.is(']'); ++count) {
      if (count == max_list_entries)
        return fail(path() + ": more than " + std::to_string(max_list_entries) + " entries");
      if (!walk_step({{}, count}, [&] { return walk_value(entry); })) return false;
      if (!walk_separator(']')) return false;
    }
    advance();
    return true;
  }

  bool walk_text() {
    if (token_.kind != TokenKind::Text)
      return fail_value("text in double quotes", type_hint(token_));
    advance();
    return true;
  }

  bool walk_number() {
    if (token_.kind != TokenKind::Number) return fail_value("a number", type_hint(token_));
    advance();
    return true;
  }

  bool walk_bool() {
    const bool is_bool =
        token_.kind == TokenKind::Word && (token_.source == "true" || token_.source == "false");
    if (!is_bool) return fail_value("true or false", type_hint(token_));
    advance();
    return true;
  }

  bool walk_enum(const flatbuffers::EnumDef& definition) {
    std::vector<std::string_view> known;
    for (const flatbuffers::EnumVal* value : definition.Vals())
      known.push_back(value->name);
    std::string list;
    for (const std::string_view value : known) {
      list += list.empty() ? "" : (value == known.back() ? " or " : ", ");
      list += "\"" + std::string(value) + "\"";
    }
    if (token_.kind != TokenKind::Text) return fail_value(list, type_hint(token_));
    const std::string value = unescaped(token_.source);
    if (std::find(known.begin(), known.end(), value) == known.end()) {
      std::string renamed = rename_hint(definition.name, value);
      return renamed.empty() ? fail_value(list, spelling_hint(value, known))
                             : fail(std::move(renamed));
    }
    advance();
    return true;
  }

  JsonLexer lexer_;
  Token token_;
  std::vector<Step> steps_;  // path of the current value
  std::optional<SceneError> error_;
};

/// Converts an error of FlatBuffers' parser, such as "12: 8: error: unknown field".
SceneError translated(const std::string& words) {
  SceneError error;
  const char* end = words.data() + words.size();
  auto parsed = std::from_chars(words.data(), end, error.line);
  while (parsed.ptr != end && (*parsed.ptr == ':' || *parsed.ptr == ' '))
    ++parsed.ptr;
  std::from_chars(parsed.ptr, end, error.column);
  constexpr std::string_view marker = "error: ";
  const std::size_t at = words.rfind(marker);
  error.message = at == std::string::npos ? words : words.substr(at + marker.size());
  error.message = error.message.substr(0, error.message.find('\n'));
  return error;
}

std::unique_ptr<flatbuffers::Parser> parser_of_scenes() {
  auto parser = std::make_unique<flatbuffers::Parser>();
  const bool is_schema_good = parser->Parse(scene_schema);
  JOSTLE_ASSERT(is_schema_good && parser->root_struct_def_ != nullptr);
  return parser;
}

}  // namespace

base::Result<flatbuffers::DetachedBuffer, SceneError> parse_json(std::string_view text) {
  // Each thread parses the schema only once, because parsing it takes longer than parsing most
  // scenes.
  thread_local std::unique_ptr<flatbuffers::Parser> parser;
  if (!parser) parser = parser_of_scenes();

  if (auto error = SchemaWalk(text).run(*parser->root_struct_def_)) return *std::move(error);
  // Comments are removed because FlatBuffers treats /// as documentation.
  if (!parser->ParseJson(without_comments(text).c_str())) {
    SceneError error = translated(parser->error_);
    parser.reset();  // discarded, because its state is undefined after an error
    return error;
  }
  return parser->builder_.Release();
}

}  // namespace jostle::scene::detail

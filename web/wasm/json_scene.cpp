// Converts scene files to FlatBuffers with the schema's binary form, in place of FlatBuffers' own
// parser, which Debian has for the host processor only.
#include "shared/scene/detail/json_check.h"
#include "shared/scene/detail/json_lexer.h"

#include <flatbuffers/reflection_generated.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::web {
extern const std::uint8_t scene_schema_bytes[];
}

namespace jostle::scene::detail {
namespace {

using flatbuffers::FlatBufferBuilder;

constexpr std::size_t max_list_entries = max_scene_bodies;

/// A value of a table's field, before the table is written.
struct FieldValue {
  const reflection::Field* field = nullptr;
  double number = 0;  // scalars: number, bool or enum
  flatbuffers::uoffset_t offset = 0;
};

class SceneWriter {
 public:
  SceneWriter(std::string_view text, const reflection::Schema& schema)
      : lexer_(text), schema_(schema) {}

  base::Result<flatbuffers::DetachedBuffer, SceneError> run() {
    advance();
    const auto root = table(*schema_.root_table(), true);
    if (root && token_.kind != TokenKind::End) fail("expected the end of the file");
    if (error_) return *std::move(error_);
    builder_.Finish(flatbuffers::Offset<void>(*root));
    return builder_.Release();
  }

 private:
  using Offset = std::optional<flatbuffers::uoffset_t>;

  void advance() { token_ = lexer_.next(); }

  std::nullopt_t fail(const std::string& message) {
    const bool is_bad = token_.kind == TokenKind::Bad;
    if (!error_)
      error_ = SceneError{
          {}, token_.place.line, token_.place.column, {}, is_bad ? token_.problem : message};
    return std::nullopt;
  }

  /// Consumes a comma between entries, or stops at the closing mark.
  bool separator(char closing) {
    if (token_.is(closing)) return true;
    if (!token_.is(',')) {
      fail(std::string("expected \",\" or \"") + closing + "\"");
      return false;
    }
    advance();
    return true;
  }

  Offset table(const reflection::Object& object, bool is_root) {
    if (!token_.is('{')) return fail("expected an object {...}");
    advance();
    std::vector<FieldValue> values;
    while (!token_.is('}')) {
      if (!member(object, values, is_root)) return std::nullopt;
      if (!separator('}')) return std::nullopt;
    }
    advance();
    const auto start = builder_.StartTable();
    for (const FieldValue& value : values)
      write(value);
    return builder_.EndTable(start);
  }

  bool member(const reflection::Object& object, std::vector<FieldValue>& values, bool is_root) {
    if (token_.kind != TokenKind::Text) {
      fail("expected a field name in double quotes or \"}\"");
      return false;
    }
    const std::string name = unescaped(token_.source);
    const reflection::Field* field = object.fields()->LookupByKey(name.c_str());
    const bool is_schema = is_root && name == "$schema";
    if (field == nullptr && !is_schema) {
      fail("unknown field: " + printable(name));
      return false;
    }
    for (const FieldValue& value : values) {
      if (field != nullptr && value.field == field) {
        fail("field given twice: " + name);
        return false;
      }
    }
    advance();
    if (!token_.is(':')) {
      fail("expected \":\"");
      return false;
    }
    advance();
    if (is_schema) {  // editors use it to find the schema
      advance();
      return true;
    }
    FieldValue value;
    value.field = field;
    if (!read(*field->type(), value)) return false;
    values.push_back(value);
    return true;
  }

  bool read(const reflection::Type& type, FieldValue& value) {
    switch (type.base_type()) {
      case reflection::Obj:
        return keep(table(*schema_.objects()->Get(static_cast<unsigned>(type.index())), false),
                    value);
      case reflection::String:
        return keep(text(), value);
      case reflection::Vector:
        return keep(list(type), value);
      case reflection::Bool:
        return keep_number(truth(), value);
      default:
        return keep_number(type.index() >= 0 ? enumerator(type) : number(), value);
    }
  }
  static bool keep(Offset offset, FieldValue& value) {
    value.offset = offset.value_or(0);
    return offset.has_value();
  }
  static bool keep_number(std::optional<double> number, FieldValue& value) {
    value.number = number.value_or(0);
    return number.has_value();
  }

  Offset text() {
    if (token_.kind != TokenKind::Text) return fail("expected text in double quotes");
    const auto offset = builder_.CreateString(unescaped(token_.source)).o;
    advance();
    return offset;
  }

  Offset list(const reflection::Type& type) {
    if (!token_.is('[')) return fail("expected a list [...]");
    advance();
    std::vector<double> numbers;
    std::vector<flatbuffers::Offset<void>> offsets;
    const bool is_numbers = type.element() == reflection::Double;
    while (!token_.is(']')) {
      if (numbers.size() + offsets.size() == max_list_entries)
        return fail("more than " + std::to_string(max_list_entries) + " entries");
      if (is_numbers) {
        const auto next = number();
        if (!next) return std::nullopt;
        numbers.push_back(*next);
      } else {
        const Offset next =
            type.element() == reflection::String
                ? text()
                : table(*schema_.objects()->Get(static_cast<unsigned>(type.index())), false);
        if (!next) return std::nullopt;
        offsets.emplace_back(*next);
      }
      if (!separator(']')) return std::nullopt;
    }
    advance();
    return is_numbers ? builder_.CreateVector(numbers).o : builder_.CreateVector(offsets).o;
  }

  std::optional<double> number() {
    if (token_.kind != TokenKind::Number) return fail("expected a number");
    const double value = std::strtod(std::string(token_.source).c_str(), nullptr);
    advance();
    return value;
  }

  std::optional<double> truth() {
    const bool is_true = token_.kind == TokenKind::Word && token_.source == "true";
    if (!is_true && !(token_.kind == TokenKind::Word && token_.source == "false"))
      return fail("expected true or false");
    advance();
    return is_true ? 1 : 0;
  }

  std::optional<double> enumerator(const reflection::Type& type) {
    std::string known;
    const std::string name = token_.kind == TokenKind::Text ? unescaped(token_.source) : "";
    for (const reflection::EnumVal* value :
         *schema_.enums()->Get(static_cast<unsigned>(type.index()))->values()) {
      if (value->name()->string_view() == name) {
        advance();
        return static_cast<double>(value->value());
      }
      known += (known.empty() ? "\"" : ", \"") + value->name()->str() + "\"";
    }
    return fail("expected one of " + known);
  }

  void write(const FieldValue& value) {
    const flatbuffers::voffset_t slot = value.field->offset();
    switch (value.field->type()->base_type()) {
      case reflection::Obj:
      case reflection::String:
      case reflection::Vector:
        builder_.AddOffset(slot, flatbuffers::Offset<void>(value.offset));
        break;
      case reflection::Double:
        builder_.AddElement<double>(slot, value.number);
        break;
      default:  // bool and enum: ubyte
        builder_.AddElement<std::uint8_t>(slot, static_cast<std::uint8_t>(value.number));
        break;
    }
  }

  JsonLexer lexer_;
  const reflection::Schema& schema_;
  FlatBufferBuilder builder_;
  Token token_;
  std::optional<SceneError> error_;
};

}  // namespace

base::Result<flatbuffers::DetachedBuffer, SceneError> parse_json(std::string_view text) {
  return SceneWriter(text, *reflection::GetSchema(web::scene_schema_bytes)).run();
}

}  // namespace jostle::scene::detail

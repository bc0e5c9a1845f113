#pragma once

#include "shared/base/result.h"
#include "shared/scene/scene.h"

#include <flatbuffers/flatbuffers.h>

#include <string_view>

namespace jostle::scene::detail {

/// scene.fbs, word for word.
extern const char* const scene_schema;

/// Turns a scene file into a FlatBuffers `wire::Scene`. What is not JSON, and what scene.fbs does
/// not allow (unknown and repeated fields, wrong types), is refused with its line and column.
///
/// The text is walked against the schema first and then built by FlatBuffers' parser. The walk is
/// there because that parser takes more than a scene should say ("mass": "3", sin(1), numbers for
/// enums, anything after a NUL), reports a place one or two tokens late, and words its errors
/// differently in each release.
base::Result<flatbuffers::DetachedBuffer, SceneError> parse_json(std::string_view text);

}  // namespace jostle::scene::detail

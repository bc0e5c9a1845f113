#pragma once

#include "shared/base/result.h"
#include "shared/scene/scene.h"

#include <flatbuffers/flatbuffers.h>

#include <string_view>

namespace jostle::scene::detail {

/// The text of scene.fbs.
extern const char* const scene_schema;

/// Converts a scene file into a FlatBuffers `wire::Scene`. Text that is not JSON, or that scene.fbs
/// does not allow (unknown and repeated fields, wrong types), is rejected with its line and column.
///
/// The text is checked against the schema first and then parsed by FlatBuffers. The check is
/// necessary because FlatBuffers' parser accepts too much ("mass": "3", sin(1), numbers for enums,
/// anything after a NUL), reports errors one or two tokens late, and words them differently in each
/// release.
base::Result<flatbuffers::DetachedBuffer, SceneError> parse_json(std::string_view text);

}  // namespace jostle::scene::detail

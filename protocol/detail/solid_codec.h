#pragma once

#include "protocol/decode_error.h"
#include "shared/base/result.h"
#include "shared/state/shape.h"

#include <flatbuffers/flatbuffers.h>

#include <memory>

namespace jostle::protocol::wire {
struct Solid;
}

namespace jostle::protocol::detail {

flatbuffers::Offset<wire::Solid> write_solid(flatbuffers::FlatBufferBuilder& builder,
                                             const state::Solid& solid);

/// Of a verified message, for a shape of a kind that has a solid. Everything that follows from the
/// numbers is made anew; numbers that are no such solid are refused.
base::Result<std::shared_ptr<const state::Solid>, DecodeError> read_solid(const wire::Solid& source,
                                                                          state::ShapeKind kind);

}  // namespace jostle::protocol::detail

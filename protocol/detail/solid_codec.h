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

/// Reads a solid from a verified message. `kind` must be a kind of shape that has a solid. Derived
/// data is recomputed; numbers that do not form a valid solid are rejected.
base::Result<std::shared_ptr<const state::Solid>, DecodeError> read_solid(const wire::Solid& source,
                                                                          state::ShapeKind kind);

}  // namespace jostle::protocol::detail

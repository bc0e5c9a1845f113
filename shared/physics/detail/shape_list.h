#pragma once

#include "shared/base/cloned_ptr.h"
#include "shared/physics/handles.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace jostle::physics {

/// The shapes of a body, in the order in which they were added. A single shape, the common case, is
/// stored without an allocation.
class ShapeList {
 public:
  std::size_t size() const { return more_ ? more_->size() : one_.is_null() ? 0 : 1; }
  bool empty() const { return size() == 0; }
  const ShapeHandle* begin() const { return more_ ? more_->data() : &one_; }
  const ShapeHandle* end() const { return begin() + size(); }
  ShapeHandle* begin() { return more_ ? more_->data() : &one_; }
  ShapeHandle* end() { return begin() + size(); }
  operator std::span<const ShapeHandle>() const { return {begin(), size()}; }

  void push_back(ShapeHandle shape) {
    if (more_) {
      more_->push_back(shape);
    } else if (one_.is_null()) {
      one_ = shape;
    } else {
      more_ = std::make_unique<std::vector<ShapeHandle>>(std::vector{one_, shape});
    }
  }
  void clear() {
    one_ = {};
    more_.reset();
  }

 private:
  ShapeHandle one_;
  base::ClonedPtr<std::vector<ShapeHandle>> more_;  // all shapes, if there are several
};

}  // namespace jostle::physics

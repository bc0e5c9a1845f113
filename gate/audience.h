#pragma once

#include "shared/gate_link/entry.h"
#include "shared/net/transport.h"

#include "gate/viewer.h"
#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace jostle::gate {

/// Viewers of a server's room that the gate serves itself: they only watch, and each snapshot is
/// coded once for all of them.
class Audience {
 public:
  virtual ~Audience() = default;
  /// Returns true if viewers can be taken.
  virtual bool is_open() const = 0;
  /// Takes a viewer, whose client has sent the message `hello`. Returns false if the client does
  /// not only want to watch.
  virtual bool take(Viewer& viewer, std::span<const std::byte> hello) = 0;
  /// Handles a message of a taken viewer.
  virtual void handle(Viewer& viewer, const gate_link::ViewerMessage& message) = 0;
  /// Forgets a taken viewer, whose connection has ended.
  virtual void forget(Viewer& viewer) = 0;
};

/// Creates an audience that joins its server through a transport. Returns null if it cannot.
using MakeAudience = std::function<std::unique_ptr<Audience>(std::unique_ptr<net::Transport>)>;

}  // namespace jostle::gate

#pragma once

#include "shared/http/server.h"
#include "shared/net/address.h"

#include <memory>
#include <optional>
#include <string>

namespace jostle::gate {

/// A world that viewers can watch through the gate, under /room/NAME.
class Room {
 public:
  virtual ~Room() = default;
  /// Returns true if the room's server can be reached.
  virtual bool is_open() const = 0;
  /// Returns the handler of a new viewer's WebSocket. `needs_server` is true if the viewer needs
  /// messages that only the server has, such as those for lockstep.
  virtual std::unique_ptr<http::WebSocketHandler> join(net::Address client, bool needs_server) = 0;
  /// Returns the answer to a request for a path below /room/NAME/, or nothing if the page answers.
  virtual std::optional<http::Response> respond(const std::string& path) = 0;
  /// Looks after limits in time. Called about once a second.
  virtual void watch() = 0;
  /// Disconnects all viewers, because the gate stops.
  virtual void close_all() = 0;
  /// Returns the number of viewers.
  virtual std::size_t viewer_count() const = 0;
};

/// Returns what is wrong with the name of a room, or nothing: 1 to 64 letters, digits, "-" and "_".
std::string room_name_fault(const std::string& name);

}  // namespace jostle::gate

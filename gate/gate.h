#pragma once

#include "shared/http/server.h"
#include "shared/http/static_files.h"

#include "gate/room.h"
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jostle::gate {

/// The content of the gate: the page, the list of rooms, and the rooms.
class Gate final : public http::Site {
 public:
  explicit Gate(http::StaticFiles page) : page_(std::move(page)) {}

  void add_room(const std::string& name, std::unique_ptr<Room> room);
  void watch();
  void close_all();
  std::size_t viewer_count() const;

  http::Response respond(const http::Request& request) override;
  http::Upgrade upgrade(const http::Request& request) override;

 private:
  /// The room of a path, and the rest of the path. The rest of "/room/main/a.js" is "a.js".
  struct Place {
    Room* room = nullptr;
    std::string rest;
    bool is_missing = false;   // the path names a room that does not exist
    bool lacks_slash = false;  // the path is "/room/main"
  };
  Place place_of(const std::string& path) const;
  http::Response list_rooms() const;

  http::StaticFiles page_;
  std::map<std::string, std::unique_ptr<Room>> rooms_;
};

/// Returns the headers of all answers. `embedders` are the origins whose pages may embed the page.
std::vector<std::pair<std::string, std::string>> security_headers(
    const std::vector<std::string>& embedders);

}  // namespace jostle::gate

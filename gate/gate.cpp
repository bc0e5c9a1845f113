#include "gate/gate.h"

#include "shared/gate_link/entry.h"

#include <cctype>
#include <string_view>

namespace jostle::gate {
namespace {

constexpr std::string_view room_prefix = "/room/";
constexpr std::size_t max_room_name_letters = 64;
static_assert(gate_link::max_entry_bytes <= gate_link::max_viewer_message_bytes,
              "the entry is a message, too");

}  // namespace

std::string room_name_fault(const std::string& name) {
  bool is_name = !name.empty() && name.size() <= max_room_name_letters;
  for (const char letter : name)
    is_name = is_name && (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
                          letter == '_');
  return is_name ? std::string()
                 : "'" + name + "' is not the name of a room: 1 to 64 letters, digits, - and _";
}

void Gate::add_room(const std::string& name, std::unique_ptr<Room> room) {
  rooms_[name] = std::move(room);
}

void Gate::watch() {
  for (auto& [name, room] : rooms_)
    room->watch();
}

void Gate::close_all() {
  for (auto& [name, room] : rooms_)
    room->close_all();
}

std::size_t Gate::viewer_count() const {
  std::size_t sum = 0;
  for (const auto& [name, room] : rooms_)
    sum += room->viewer_count();
  return sum;
}

Gate::Place Gate::place_of(const std::string& path) const {
  Place place;
  if (path.starts_with(room_prefix)) {
    const std::string rest = path.substr(room_prefix.size());
    const std::size_t slash = rest.find('/');
    const auto found = rooms_.find(rest.substr(0, slash));
    place.is_missing = found == rooms_.end();
    place.lacks_slash = slash == std::string::npos;
    place.room = place.is_missing ? nullptr : found->second.get();
    if (!place.lacks_slash) place.rest = rest.substr(slash + 1);
  } else {
    place.room = rooms_.size() == 1 ? rooms_.begin()->second.get() : nullptr;
    place.rest = path.substr(1);
  }
  return place;
}

http::Response Gate::respond(const http::Request& request) {
  if (request.path == "/rooms.json") return list_rooms();
  const Place place = place_of(request.path);
  if (place.is_missing) return http::text_response(404, "there is no such room");
  if (place.lacks_slash) {
    http::Response response = http::text_response(301, "moved");
    response.headers.emplace_back("Location", request.path + "/");
    return response;
  }
  if (place.room != nullptr) {
    if (auto response = place.room->respond(place.rest)) return *std::move(response);
  }
  const std::string name = place.rest.empty() ? "index.html" : place.rest;
  if (name == "index.html" && !page_.contains(name))
    return http::text_response(
        404,
        "this gate serves no page. Name the folder of a built page: --page of "
        "jostle-gate, --web-page of jostled, web_page_folder of the API");
  return page_.respond(name, request);
}

http::Response Gate::list_rooms() const {
  std::string text;
  for (const auto& [name, room] : rooms_) {
    text += std::string(text.empty() ? "" : ",") + R"({"name":")" + name + R"(","is_open":)" +
            (room->is_open() ? "true" : "false") + "}";
  }
  http::Response response;
  response.content_type = "application/json";
  response.body = std::make_shared<const std::string>(R"({"rooms":[)" + text + "]}\n");
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

http::Upgrade Gate::upgrade(const http::Request& request) {
  const Place place = place_of(request.path);
  const bool needs_server = place.rest == "ws/server";
  if (place.room == nullptr || (place.rest != "ws" && !needs_server))
    return {.handler = nullptr, .refusal = http::text_response(404, "there is no such room")};
  return {.handler = place.room->join(request.client, needs_server),
          .refusal = {},
          .max_message_bytes = gate_link::max_viewer_message_bytes};
}

std::vector<std::pair<std::string, std::string>> security_headers(
    const std::vector<std::string>& embedders) {
  std::string ancestors = "'self'";
  for (const std::string& origin : embedders)
    ancestors += " " + origin;
  return {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
       "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
       "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors " +
           ancestors},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
  };
}

}  // namespace jostle::gate

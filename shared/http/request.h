#pragma once

#include "shared/net/address.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jostle::http {

/// A request of HTTP/1.1. The server accepts the methods GET and HEAD only.
struct Request {
  std::string path;   // without the query, with percent-encoded bytes decoded
  std::string query;  // after the "?", as sent; may be empty
  std::string host, accept_encoding, if_none_match;  // headers; empty if missing
  /// Address of the client: the socket's, or the one that a trusted proxy names.
  net::Address client;
  bool is_upgrade = false;  // asks for a WebSocket
};

/// An answer. For HEAD, the server sends it without its body.
struct Response {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::string> body;  // null: empty
  std::vector<std::pair<std::string, std::string>> headers{};
};

/// Returns an answer with a line of text.
Response text_response(int status, const std::string& line);

/// Decodes the path of a request target. Returns an empty text if the target is not a path from
/// the root, or contains a malformed escape, a NUL byte, a backslash or a segment "..".
std::string decode_path(std::string_view target);

}  // namespace jostle::http

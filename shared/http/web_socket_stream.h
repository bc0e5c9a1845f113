#pragma once

#include "shared/http/byte_stream.h"

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle::http {

using EmptyRequest = boost::beast::http::request<boost::beast::http::empty_body>;
using Headers = std::vector<std::pair<std::string, std::string>>;

/// A WebSocket of Beast, as server or as client, for binary messages without compression. All
/// handlers run on the thread of the io_context. An operation keeps what its handler holds.
class WebSocketStream {
 public:
  using Done = std::function<void(boost::system::error_code)>;
  struct Options {
    bool is_server = true;
    std::size_t max_message_bytes = 4'096;  // longer messages close the connection
    std::chrono::seconds handshake_time{10};
    /// Time after which a connection ends if the other end sends nothing, not even the answers to
    /// the pings that are sent meanwhile.
    std::chrono::seconds idle_time{30};
  };
  struct CloseReason {
    std::uint16_t code = 0;  // 0: the other end has sent no close frame
    std::string text{};
  };

  WebSocketStream(std::unique_ptr<ByteStream> bytes, const Options& options);
  ~WebSocketStream();
  WebSocketStream(const WebSocketStream&) = delete;
  WebSocketStream& operator=(const WebSocketStream&) = delete;

  /// Answers the request of a client, with `headers` besides.
  void accept(const EmptyRequest& request, const Headers& headers, Done done);
  /// Asks a server for a WebSocket. `done` also gets the status of the answer; 0 without one.
  void ask(const std::string& host, const std::string& target, const Headers& headers,
           std::function<void(boost::system::error_code, int status)> done);

  /// Reads a message. `done` gets its content, which is valid during the call.
  void read(std::function<void(boost::system::error_code, std::span<const std::byte>)> done);
  /// Returns true if the last message was binary.
  bool is_binary() const;
  /// Sends a message, which must be kept until `done` is called. One message at a time.
  void write(std::span<const std::byte> message, bool is_text, Done done);
  /// Sends a ping with at most 125 bytes. One ping at a time.
  void ping(std::span<const std::byte> payload, Done done);
  /// Sets a function that is called for each pong.
  void on_pong(std::function<void(std::span<const std::byte>)> use);
  /// Performs the closing handshake. A text of more than 123 bytes is cut.
  void close(std::uint16_t code, std::string_view text, Done done);
  CloseReason close_reason() const;

  ByteStream& bytes();

 private:
  struct Beast;
  std::unique_ptr<Beast> beast_;
};

}  // namespace jostle::http

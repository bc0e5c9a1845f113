#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace boost::asio::ssl {
class context;
}

namespace jostle::http {

/// A completion handler of any type that takes an error and a number of bytes. Handlers of Beast
/// can be moved but not copied, which std::function does not support.
class IoHandler {
 public:
  template <typename Handler>
  explicit IoHandler(Handler handler)
      : call_(std::make_unique<CallOf<Handler>>(std::move(handler))) {}
  void operator()(boost::system::error_code error, std::size_t bytes) {
    std::exchange(call_, nullptr)->run(error, bytes);
  }

 private:
  struct Call {
    virtual ~Call() = default;
    virtual void run(boost::system::error_code error, std::size_t bytes) = 0;
  };
  template <typename Handler>
  struct CallOf final : Call {
    explicit CallOf(Handler given) : handler(std::move(given)) {}
    void run(boost::system::error_code error, std::size_t bytes) override { handler(error, bytes); }
    Handler handler;
  };
  std::unique_ptr<Call> call_;
};

/// A TCP connection, plain or with TLS. Both have one type, so that the templates of Beast that
/// use it are compiled once; they take long to compile.
class ByteStream {
 public:
  using Done = std::function<void(boost::system::error_code)>;
  using Tcp = boost::asio::ip::tcp;
  /// Maximum number of buffers that one call of write_some() accepts.
  static constexpr std::size_t max_buffers = 8;

  virtual ~ByteStream() = default;
  /// Performs the server's part of the TLS handshake. A plain stream has none.
  virtual void shake_hands(Done done) = 0;
  virtual void read_some(boost::asio::mutable_buffer buffer, IoHandler handler) = 0;
  virtual void write_some(std::span<const boost::asio::const_buffer> buffers,
                          IoHandler handler) = 0;
  /// Sends the end of the stream.
  virtual void shut_down(Done done) = 0;
  /// Ends operations that take longer than `time` with an error, until the next call.
  virtual void expire_after(std::chrono::milliseconds time) = 0;
  virtual void never_expire() = 0;
  virtual void connect(const Tcp::endpoint& to, Done done) = 0;
  virtual Tcp::socket& socket() = 0;
  /// Cancels all operations and closes the socket.
  virtual void close() = 0;
};

std::unique_ptr<ByteStream> plain_stream(ByteStream::Tcp::socket socket);
/// `tls` must outlive the stream.
std::unique_ptr<ByteStream> tls_stream(ByteStream::Tcp::socket socket,
                                       boost::asio::ssl::context& tls);

/// A ByteStream as Asio's concept AsyncStream. Handlers run on the thread of the io_context.
class AnyStream {
 public:
  using executor_type = boost::asio::any_io_executor;

  explicit AnyStream(std::unique_ptr<ByteStream> bytes) : bytes_(std::move(bytes)) {}
  executor_type get_executor() { return bytes_->socket().get_executor(); }
  ByteStream& bytes() { return *bytes_; }
  std::unique_ptr<ByteStream> release() { return std::move(bytes_); }

  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler handler) {
    boost::asio::mutable_buffer first;
    for (auto each = boost::asio::buffer_sequence_begin(buffers);
         each != boost::asio::buffer_sequence_end(buffers) && first.size() == 0; ++each)
      first = boost::asio::mutable_buffer(*each);
    bytes_->read_some(first, IoHandler(std::move(handler)));
  }

  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler handler) {
    std::array<boost::asio::const_buffer, ByteStream::max_buffers> some;
    std::size_t count = 0;
    for (auto each = boost::asio::buffer_sequence_begin(buffers);
         each != boost::asio::buffer_sequence_end(buffers) && count < some.size(); ++each) {
      const boost::asio::const_buffer buffer(*each);
      if (buffer.size() != 0) some[count++] = buffer;
    }
    bytes_->write_some(std::span(some).first(count), IoHandler(std::move(handler)));
  }

 private:
  std::unique_ptr<ByteStream> bytes_;
};

}  // namespace jostle::http

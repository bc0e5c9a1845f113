#include "shared/http/byte_stream.h"

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/tcp_stream.hpp>

#include <algorithm>

namespace jostle::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// Buffers of one call, as a type that Asio can copy cheaply.
struct BufferList {
  using value_type = asio::const_buffer;
  using const_iterator = const asio::const_buffer*;
  const_iterator begin() const { return buffers.data(); }
  const_iterator end() const { return buffers.data() + count; }
  std::array<asio::const_buffer, ByteStream::max_buffers> buffers{};
  std::size_t count = 0;
};

BufferList list_of(std::span<const asio::const_buffer> buffers) {
  BufferList list;
  list.count = std::min(buffers.size(), list.buffers.size());
  std::copy_n(buffers.begin(), list.count, list.buffers.begin());
  return list;
}

/// `Stream` is beast::tcp_stream, or a TLS stream over it.
template <typename Stream>
class StreamBase : public ByteStream {
 public:
  template <typename... Arguments>
  explicit StreamBase(Arguments&&... arguments) : stream_(std::forward<Arguments>(arguments)...) {}

  void read_some(asio::mutable_buffer buffer, IoHandler handler) override {
    stream_.async_read_some(buffer, std::move(handler));
  }
  void write_some(std::span<const asio::const_buffer> buffers, IoHandler handler) override {
    stream_.async_write_some(list_of(buffers), std::move(handler));
  }
  void expire_after(std::chrono::milliseconds time) override { lowest().expires_after(time); }
  void never_expire() override { lowest().expires_never(); }
  void connect(const Tcp::endpoint& to, Done done) override {
    lowest().async_connect(to, std::move(done));
  }
  Tcp::socket& socket() override { return lowest().socket(); }
  void close() override { lowest().close(); }

 protected:
  boost::beast::tcp_stream& lowest() { return boost::beast::get_lowest_layer(stream_); }
  Stream stream_;
};

class PlainStream final : public StreamBase<boost::beast::tcp_stream> {
 public:
  using StreamBase::StreamBase;
  void shake_hands(Done done) override {
    asio::post(stream_.get_executor(), [done = std::move(done)] { done({}); });
  }
  void shut_down(Done done) override {
    error_code error;
    socket().shutdown(Tcp::socket::shutdown_send, error);
    asio::post(stream_.get_executor(), [done = std::move(done), error] { done(error); });
  }
};

class TlsStream final : public StreamBase<asio::ssl::stream<boost::beast::tcp_stream>> {
 public:
  using StreamBase::StreamBase;
  void shake_hands(Done done) override {
    stream_.async_handshake(asio::ssl::stream_base::server, std::move(done));
  }
  void shut_down(Done done) override { stream_.async_shutdown(std::move(done)); }
};

}  // namespace

std::unique_ptr<ByteStream> plain_stream(ByteStream::Tcp::socket socket) {
  return std::make_unique<PlainStream>(std::move(socket));
}

std::unique_ptr<ByteStream> tls_stream(ByteStream::Tcp::socket socket, asio::ssl::context& tls) {
  return std::make_unique<TlsStream>(std::move(socket), tls);
}

}  // namespace jostle::http

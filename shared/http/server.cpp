#include "shared/http/server.h"

#include "shared/base/log.h"
#include "shared/http/detail/connection.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/ssl/context.hpp>

#include <algorithm>
#include <optional>
#include <string_view>

namespace jostle::http {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using boost::system::error_code;

/// Pause after a failed accept(), for example because no file descriptor is free.
constexpr std::chrono::milliseconds accept_pause{100};

net::Address address_of(const Tcp::endpoint& endpoint) {
  if (endpoint.address().is_v4())
    return {net::Ip(endpoint.address().to_v4().to_uint()), endpoint.port()};
  const auto v6 = endpoint.address().to_v6();
  return {net::Ip(v6.to_bytes(), static_cast<std::uint32_t>(v6.scope_id())), endpoint.port()};
}

Tcp::endpoint endpoint_of(net::Address address) {
  if (address.ip.is_v4()) return {asio::ip::address_v4(address.ip.v4()), address.port};
  return {asio::ip::address_v6(address.ip.bytes(), address.ip.scope()), address.port};
}

class AsioServer final : public Server {
 public:
  AsioServer(asio::io_context& context, ServerOptions options, Site& site)
      : context_(context),
        shared_(std::make_shared<SharedState>(std::move(options), site)),
        acceptor_(context),
        pause_(context) {}
  ~AsioServer() override { stop(); }
  AsioServer(const AsioServer&) = delete;
  AsioServer& operator=(const AsioServer&) = delete;

  /// Returns an error text, or nothing.
  std::string open() {
    const ServerOptions& options = shared_->options;
    if (std::string fault = read_certificate(); !fault.empty()) return fault;
    error_code error;
    const Tcp::endpoint endpoint = endpoint_of(options.listen);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error && !options.listen.ip.is_v4())
      acceptor_.set_option(boost::asio::ip::v6_only(options.listen.ip != net::any_ip6), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      return "cannot listen at TCP " + net::to_string(options.listen) + ": " + error.message();
    accept();
    return {};
  }

  net::Address local_address() const override {
    error_code error;
    return address_of(acceptor_.local_endpoint(error));
  }

  void stop() override {
    shared_->is_stopped = true;
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
  }

  std::size_t connection_count() const override { return shared_->limits.total(); }

 private:
  std::string read_certificate() {
    const ServerOptions& options = shared_->options;
    if (options.certificate_file.empty()) return {};
    tls_.emplace(asio::ssl::context::tls_server);
    error_code error;
    tls_->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                          asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                          asio::ssl::context::no_tlsv1_1,
                      error);
    if (!error) tls_->use_certificate_chain_file(options.certificate_file, error);
    if (error)
      return "cannot use the certificate '" + options.certificate_file + "': " + error.message();
    tls_->use_private_key_file(options.key_file, asio::ssl::context::pem, error);
    if (error) return "cannot use the key '" + options.key_file + "': " + error.message();
    return {};
  }

  void accept() {
    acceptor_.async_accept([this, shared = shared_](error_code error, Tcp::socket socket) {
      if (shared->is_stopped) return;
      if (error) {
        pause_.expires_after(accept_pause);
        pause_.async_wait([this](error_code cancelled) {
          if (!cancelled) accept();
        });
        return;
      }
      serve(std::move(socket));
      accept();
    });
  }

  void serve(Tcp::socket socket) {
    error_code error;
    const Tcp::endpoint endpoint = socket.remote_endpoint(error);
    if (error) return;
    const net::Address client = address_of(endpoint);
    if (!shared_->limits.add(client.ip)) return;
    http::serve(tls_ ? tls_stream(std::move(socket), *tls_) : plain_stream(std::move(socket)),
                shared_, client);
  }

  asio::io_context& context_;
  std::shared_ptr<SharedState> shared_;
  std::optional<asio::ssl::context> tls_;
  Tcp::acceptor acceptor_;
  asio::steady_timer pause_;
};

}  // namespace

base::Result<std::unique_ptr<Server>, std::string> Server::create(boost::asio::io_context& context,
                                                                  ServerOptions options,
                                                                  Site& site) {
  auto server = std::make_unique<AsioServer>(context, std::move(options), site);
  if (std::string fault = server->open(); !fault.empty()) return fault;
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace jostle::http

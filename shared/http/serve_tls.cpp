#include "shared/http/detail/connection.h"

namespace jostle::http {

void serve_tls(Tcp::socket socket, asio::ssl::context& tls, std::shared_ptr<SharedState> shared,
               net::Address client) {
  std::make_shared<Connection<TlsStream>>(TlsStream(PlainStream(std::move(socket)), tls),
                                          std::move(shared), client)
      ->start();
}

}  // namespace jostle::http

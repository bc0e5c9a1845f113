#include "shared/http/detail/connection.h"

namespace jostle::http {

void serve_plain(Tcp::socket socket, std::shared_ptr<SharedState> shared, net::Address client) {
  std::make_shared<Connection<PlainStream>>(PlainStream(std::move(socket)), std::move(shared),
                                            client)
      ->start();
}

}  // namespace jostle::http

#include "client/app/resolve.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>
#include <memory>

namespace jostle::client_app {

base::Result<net::Address, std::string> resolve(const std::string& host, std::uint16_t port) {
  if (const auto ip = net::parse_ip(host)) return net::Address{*ip, port};

  // The system would read "1.2.3" as 1.2.0.3, and the wrong machine would be asked.
  if (host.find_first_not_of("0123456789.") == std::string::npos) {
    return "'" + host + "' is not an IPv4 address";
  }
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(host.c_str(), nullptr, &wanted, &list);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, &freeaddrinfo);
  if (error != 0 || list == nullptr) {
    return "cannot find the server '" + host + "': " + gai_strerror(error);
  }
  sockaddr_in address{};
  std::memcpy(&address, list->ai_addr, sizeof address);
  return net::Address{ntohl(address.sin_addr.s_addr), port};
}

}  // namespace jostle::client_app

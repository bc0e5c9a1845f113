#include "gate/app/command_line.h"

#include "shared/command_line/command_line.h"
#include "shared/commit/commit.h"
#include "shared/http/host_check.h"
#include "shared/net/address.h"

#include "gate/app/page_folder.h"
#include "gate/room.h"
#include <algorithm>
#include <cstdio>
#include <set>

namespace jostle::gate {
namespace {

constexpr const char* default_listen = "127.0.0.1:7780";

/// Option values that need conversion.
struct Texts {
  std::string listen = default_listen, page;
  std::vector<std::string> rooms, relays, hosts, origins, proxies;
  bool is_insecure = false;
};

std::string endpoint_fault(const std::string& text) {
  const auto endpoint = net::parse_endpoint(text);
  return endpoint ? std::string() : endpoint.error();
}

std::string room_fault(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size())
    return "'" + text + "' is not NAME=SOCKET, such as main=/run/jostle/main.sock";
  return room_name_fault(text.substr(0, equals));
}

std::string relay_fault(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return "'" + text + "' is not NAME=IP:PORT";
  const std::string fault = endpoint_fault(text.substr(equals + 1));
  return fault.empty() ? room_name_fault(text.substr(0, equals)) : fault;
}

void add_content_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("Content");
  app.add_option("--room", texts.rooms,
                 "A room at /room/NAME, whose server has the socket SOCKET (jostled --web-socket). "
                 "May be given several times")
      .one_each()
      .check(room_fault)
      .type_name("NAME=SOCKET");
  app.add_option("--relay", texts.relays,
                 "A room for an audience at /room/NAME. The gate is one spectator of the server at "
                 "this UDP address, and codes each snapshot once for all viewers")
      .one_each()
      .check(relay_fault)
      .type_name("NAME=IP:PORT");
  app.add_option("--relay-token", options.relay_token,
                 "Token with which the relays join, or @FILE. Prefer a reusable one for spectators")
      .type_name("TOKEN");
  app.add_option("--relay-delay", options.relay_delay_seconds,
                 "Delay of the relays behind their servers")
      .check(command_line::in_range(0.0, 60.0))
      .type_name("SECONDS")
      .capture_default_str();
  app.add_option("--page", texts.page, "Folder of the page")
      .check(command_line::is_folder())
      .type_name("DIR")
      .default_str("the installed page");
  app.add_option("--url", options.url, "Address of the page for users, if a proxy changes it")
      .type_name("URL")
      .default_str("from --listen");
  app.add_flag("--until-input-ends", options.stops_with_input,
               "Stop at the end of the standard input, as for a gate that jostled starts");
  app.add_flag("--quiet", options.is_quiet, "Do not print the address of the page");
}

void add_address_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("Address and security");
  app.add_option("--listen", texts.listen, "TCP address and port; port 0: any free port")
      .check(endpoint_fault)
      .type_name("IP:PORT")
      .capture_default_str();
  app.add_option("--cert", options.server.certificate_file,
                 "File with the TLS certificate and its chain (PEM)")
      .check(command_line::is_file())
      .type_name("FILE");
  app.add_option("--key", options.server.key_file, "File with the private key of --cert (PEM)")
      .check(command_line::is_file())
      .type_name("FILE");
  app.add_flag("--insecure", texts.is_insecure,
               "Serve other machines without TLS: tokens then cross the network readably");
  app.add_option("--host", texts.hosts,
                 "Name by which browsers reach the gate, besides localhost and IP addresses. May "
                 "be given several times")
      .one_each()
      .check(http::host_name_fault)
      .type_name("NAME");
  app.add_option("--origin", texts.origins,
                 "Another origin whose pages may open the WebSocket, such as "
                 "https://example.org. May be given several times")
      .one_each()
      .check(http::origin_fault)
      .type_name("ORIGIN");
  app.add_option("--embed", options.embedders,
                 "Origin whose pages may show the page in a frame, such as http://localhost:*. May "
                 "be given several times")
      .one_each()
      .check(http::origin_fault)
      .type_name("ORIGIN");
  app.add_option("--proxy", texts.proxies,
                 "IP address of a proxy whose X-Forwarded-For header names the viewer's address. "
                 "May be given several times")
      .one_each()
      .check(net::ip_fault)
      .type_name("IP");
}

void add_limit_options(command_line::App app, CommandLine& options) {
  app.begin_group("Limits");
  app.add_option("--max-viewers", options.max_viewers, "Maximum number of viewers of each room")
      .check(command_line::in_range(1, 100'000))
      .type_name("N")
      .capture_default_str();
  app.add_option("--direct-viewers", options.direct_viewers,
                 "Number of viewers of a room that its server serves one by one. For further "
                 "viewers that only watch, the gate codes each snapshot once")
      .check(command_line::in_range(0, 100'000))
      .type_name("N")
      .capture_default_str();
  app.add_option("--max-per-address", options.server.max_connections_per_address,
                 "Maximum number of connections per remote IPv4 address or IPv6 /64")
      .check(command_line::in_range(1, 100'000))
      .type_name("N")
      .capture_default_str();
  app.add_option("--stall", options.limits.stall_seconds,
                 "Time after which a viewer that does not read is disconnected")
      .check(command_line::in_range(0.1, 3'600.0))
      .type_name("SECONDS")
      .capture_default_str();
}

/// Copies the texts to `options`. Returns an error message, or nothing.
std::string take_texts(const Texts& texts, CommandLine& options) {
  http::ServerOptions& server = options.server;
  server.listen = *net::parse_endpoint(texts.listen);
  if (server.certificate_file.empty() != server.key_file.empty())
    return "--cert and --key are needed together";
  if (!net::is_loopback(server.listen) && server.certificate_file.empty() && !texts.is_insecure)
    return "--listen " + texts.listen +
           " can be reached from other machines: add --cert and --key, or listen at 127.0.0.1 "
           "behind a proxy with TLS, or add --insecure";
  server.names = {.hosts = texts.hosts, .origins = texts.origins};
  for (const std::string& text : texts.proxies)
    server.trusted_proxies.push_back(*net::parse_ip(text));
  std::set<std::string> names;
  for (const std::string& text : texts.rooms) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (!names.insert(name).second) return "--room: two rooms have the name '" + name + "'";
    options.rooms.push_back({name, text.substr(equals + 1)});
  }
  for (const std::string& text : texts.relays) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (!names.insert(name).second) return "--relay: two rooms have the name '" + name + "'";
    options.relays.push_back({name, *net::parse_endpoint(text.substr(equals + 1))});
  }
  if (options.room_count() == 0) return "a room is needed: --room NAME=SOCKET or --relay";
  options.page_folder = texts.page.empty() ? installed_page_folder() : texts.page;
  // Connections that load the page come on top of the viewers.
  constexpr std::size_t more_connections = 1'024;
  server.max_connections = options.max_viewers * options.room_count() + more_connections;
  return {};
}

}  // namespace

ParsedCommandLine parse_command_line(int argc, char** argv) {
  ParsedCommandLine parsed;
  Texts texts;
  command_line::Program app{
      "jostle-gate",
      "jostle-gate shows the worlds of jostled servers in browsers. It serves "
      "the page and passes messages on; the servers check the tokens."};
  app.set_version(commit::version_text("jostle-gate"));
  add_content_options(app, parsed.options, texts);
  add_address_options(app, parsed.options, texts);
  add_limit_options(app, parsed.options);
  const auto refuse = [&](const std::string& words) {
    std::fprintf(stderr, "jostle-gate: %s (see jostle-gate --help)\n", words.c_str());
    parsed.exit_code = 2;
  };
  if (const auto ending = app.parse(argc, argv)) {
    if (ending->is_refused) {
      refuse(ending->text);
    } else {
      std::puts(ending->text.c_str());
      parsed.exit_code = 0;
    }
  } else if (const std::string fault = take_texts(texts, parsed.options); !fault.empty()) {
    refuse(fault);
  }
  return parsed;
}

}  // namespace jostle::gate

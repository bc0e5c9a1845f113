#include "tools/access_options.h"

#include <cstdlib>

namespace jostle::tools {

void add_access_options(command_line::App command, keyring::ClientAccessOptions& access) {
  if (const char* const token = std::getenv("JOSTLE_TOKEN")) access.token_there = token;
  command_line::Option token =
      command
          .add_option(
              "--token", access.token,
              "Access token, or @FILE with one token per line, of which each client takes the "
              "next (default: the environment variable JOSTLE_TOKEN)")
          .check(keyring::token_fault)
          .type_name("TOKEN");
  command.add_option("--psk", access.psk_path, "Join with the pre-shared key in this file")
      .excludes(token)
      .type_name("FILE");
  command.add_option("--key", access.key_path, "File with the secret key of this client")
      .type_name("FILE");
  command
      .add_option(
          "--known-servers", access.known_path,
          "Remember the keys of servers in this file, including servers on this machine (default: "
          "remember only servers on other machines, in ~/.config/jostle/known_servers)")
      .type_name("FILE");
}

}  // namespace jostle::tools

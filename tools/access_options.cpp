#include "tools/access_options.h"

#include <cstdlib>

namespace jostle::tools {

void add_access_options(command_line::App command, keyring::ClientAccessOptions& access) {
  if (const char* const token = std::getenv("JOSTLE_TOKEN")) access.token_there = token;
  command_line::Option token =
      command
          .add_option("--token", access.token,
                      "Come in by this token, or by those in a file, one a line: @FILE; also "
                      "from the variable JOSTLE_TOKEN")
          .check(keyring::token_fault)
          .type_name("TOKEN");
  command.add_option("--psk", access.psk_path, "Come in by the shared key in this file")
      .excludes(token)
      .type_name("FILE");
  command.add_option("--key", access.key_path, "Be known by the key in this file")
      .type_name("FILE");
  command
      .add_option("--known-servers", access.known_path,
                  "Keep the keys of servers in this file, those of this machine, too; else those "
                  "beyond it are kept in ~/.config/jostle/known_servers")
      .type_name("FILE");
}

}  // namespace jostle::tools

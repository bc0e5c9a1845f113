#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "shared/crypto/encode.h"
#include "shared/keyring/key_files.h"
#include "shared/net/system_io.h"
#include "tools/commands.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

namespace jostle::tools {
namespace {

crypto::FillRandom random_of(net::Io& io) {
  return [&io](std::span<std::byte> bytes) { io.fill_random(bytes); };
}

/// Returns an error message if the file exists or its folder is missing. Overwriting a key would
/// lock out its users, and creating folders for a misspelt path would hide the mistake.
std::optional<std::string> why_not_new(net::Io& io, const std::string& path) {
  if (keyring::is_there(io, path))
    return "'" + path + "' already exists and is not overwritten: choose another file";
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (folder.empty() || std::filesystem::exists(folder, ignored)) return std::nullopt;
  return "cannot write '" + path + "': there is no folder '" + folder.string() +
         "'; create it first";
}

int make_psk(const std::string& path) {
  net::SystemIo io;
  if (const auto why = why_not_new(io, path)) return Failure{"psk new"}(*why);
  const auto psk = crypto::random_secret<32>(random_of(io));
  const auto written = keyring::write_psk(io, path, psk);
  if (!written) return Failure{"psk new"}(written.error());
  std::fprintf(stderr,
               "jostle psk new: created %s; copy it over a private channel to all users who may "
               "join\n",
               path.c_str());
  return exit_ok;
}

int make_key(const std::string& path) {
  net::SystemIo io;
  if (const auto why = why_not_new(io, path)) return Failure{"key new"}(*why);
  crypto::KeyPair key = crypto::key_pair(random_of(io));
  // Draw another key if its text starts with '-', which option parsers would take for an option.
  while (crypto::to_base64(key.shown).starts_with('-'))
    key = crypto::key_pair(random_of(io));
  const auto written = keyring::write_key_pair(io, path, key);
  if (!written) return Failure{"key new"}(written.error());
  std::printf("%s\n", crypto::to_base64(key.shown).c_str());
  return exit_ok;
}

int show_key(const std::string& path) {
  net::SystemIo io;
  const auto key = keyring::read_key_pair(io, path);
  if (!key) return Failure{"key show"}(key.error());
  std::printf("%s\n", crypto::to_base64(key->shown).c_str());
  return exit_ok;
}

}  // namespace

Command add_psk(command_line::App app) {
  auto path = std::make_shared<std::string>();
  command_line::App psk =
      app.add_subcommand("psk", "Create the pre-shared key of a server and all its clients");
  psk.require_subcommand();
  const base::ProgramNames names = base::program_names();
  command_line::App make = psk.add_subcommand(
      "new", "Create a pre-shared key, for `" + names.server + " --psk FILE` and `" + names.view +
                 " --psk FILE` with the same file");
  make.add_option("file", *path, "The file to write, readable only by its owner")
      .required()
      .type_name("FILE");
  return [path] { return make_psk(*path); };
}

Command add_key(command_line::App app) {
  auto path = std::make_shared<std::string>();
  command_line::App key = app.add_subcommand("key", "Create and show client keys");
  key.require_subcommand();
  command_line::App make =
      key.add_subcommand("new", "Create a key pair and print its public key, for `" +
                                    base::program_names().tool + " token issue --holder`");
  command_line::App show = key.add_subcommand("show", "Print the public key of a key pair");
  for (command_line::App command : {make, show}) {
    command.add_option("file", *path, "The file with the secret key").required().type_name("FILE");
  }
  return [path, make] { return make.is_parsed() ? make_key(*path) : show_key(*path); };
}

}  // namespace jostle::tools

#include "client/panels/failure_panel.h"

namespace jostle::panels {
namespace {

using client::Failure;
using Advice = FailureText::Advice;

std::string title_of(Failure failure, const std::string& server) {
  switch (failure) {
    case Failure::NoAnswer:
      return "No answer from " + server;
    case Failure::Lost:
      return "Connection to " + server + " lost";
    case Failure::ShutDown:
      return "The server was shut down";
    case Failure::Full:
      return "The server is full";
    case Failure::OtherVersion:
      return "The versions of server and client differ";
    case Failure::OtherKey:
      return "The key of the server has changed";
    case Failure::TokenRequired:
      return "The server requires a token";
    case Failure::TokenExpired:
      return "Your token has expired";
    case Failure::TokenUsed:
      return "Your token has already been used";
    case Failure::TokenRevoked:
      return "Your token was revoked";
    case Failure::TokenInvalid:
      return "Your token is not valid here";
    case Failure::SharedKeyRequired:
      return "The server requires a shared key";
    case Failure::SharedKeyNotUsed:
      return "The server uses no shared key";
    case Failure::NotAllowed:
      return "The server refused the requested role";
    case Failure::NoLockstep:
      return "Lockstep is not possible";
    case Failure::Replaced:
      return "Another client has taken over your player";
    case Failure::Kicked:
      return "The server has disconnected you";
    case Failure::Banned:
      return "The server has banned this address";
    case Failure::NoWorld:
      return "The server did not send its world";
    case Failure::Unreadable:
      return "The server sent an invalid message";
    case Failure::None:
      break;
  }
  return "Not connected";
}

/// Returns the port of a server that is given as HOST:PORT.
std::string port_of(const std::string& server) {
  return server.substr(server.rfind(':') + 1);
}

/// Returns advice for a missing or invalid token.
std::vector<Advice> token_advice(const base::ProgramNames& names) {
  return {{"The server's operator creates one with", names.tool + " token issue"},
          {"Enter it under \"Other server\", or start with", names.view + " HOST --token TOKEN"}};
}

std::vector<Advice> advice_for(Failure failure, const std::string& port,
                               const base::ProgramNames& names) {
  switch (failure) {
    case Failure::NoAnswer:
      return {{"Is a server running there? Start one on this machine with",
               names.server + " --port " + port},
              {"On another machine, UDP port " + port + " must be open. Start it with",
               names.server + " --lan --port " + port},
              {"\"Other server\" lists the servers on the local network.", {}}};
    case Failure::Lost:
      return {
          {"\"Try again\" rejoins as the same player if the server kept your reconnect slot.", {}},
          {"If it happens often, check the net graph (N) and the server's log.", {}}};
    case Failure::ShutDown:
      return {{"Use \"Try again\" when the server runs again.", {}}};
    case Failure::Full:
      return {
          {"\"Try again\" joins once a player has left. Or spectate if a connection is free:",
           names.view + " HOST --spectate"},
          {"The server's operator can allow more players with", names.server + " --max-players N"}};
    case Failure::OtherVersion:
      return {{"Client and server need the same version. Print the version of this client with",
               names.view + " --version"},
              {"Build both from the same commit.", {}}};
    case Failure::OtherKey:
      return {
          {"Before you join, confirm the new key with the operator by other means than this "
           "server.",
           {}}};
    case Failure::TokenRequired:
    case Failure::TokenExpired:
    case Failure::TokenRevoked:
    case Failure::TokenInvalid:
      return token_advice(names);
    case Failure::TokenUsed: {
      std::vector<Advice> advice = token_advice(names);
      advice.push_back(
          {"A token that can be used more than once:", names.tool + " token issue --reusable"});
      return advice;
    }
    case Failure::SharedKeyRequired:
      return {{"Get the key file from the server's operator, and start with",
               names.view + " HOST --psk FILE"}};
    case Failure::SharedKeyNotUsed:
      return {{"Start without --psk.", {}}};
    case Failure::NotAllowed:
      return {{"Spectate:", names.view + " HOST --spectate"},
              {"Or ask the server's operator for a player token:",
               names.tool + " token issue --role player"}};
    case Failure::NoLockstep:
      return {{"Join without lockstep:", names.view + " HOST"},
              {"Lockstep needs a scene file. The operator enables it with",
               names.server + " --mode lockstep"}};
    case Failure::Replaced:
      return {{"\"Try again\" reconnects as this player and disconnects the other client.", {}}};
    case Failure::Kicked:
    case Failure::Banned:
      return {{"A client that violates the protocol is banned for a minute.", {}},
              {"If you did nothing wrong, ask the server's operator.", {}}};
    case Failure::NoWorld:
    case Failure::Unreadable:
      return {{"Is it a jostle server of the same version? Print the version of this client with",
               names.view + " --version"}};
    case Failure::None:
      break;
  }
  return {};
}

}  // namespace

std::string no_answer_note(const std::string& server, const base::ProgramNames& names) {
  const std::string port = port_of(server);
  return "no answer from " + server + "; start a server with `" + names.server + " --port " + port +
         "` on this machine, or with `" + names.server + " --lan --port " + port + "` elsewhere";
}

FailureText explain(Failure failure, const std::string& words, const std::string& server,
                    const base::ProgramNames& names) {
  return {.title = title_of(failure, server),
          .why = words,
          .advice = advice_for(failure, port_of(server), names)};
}

FailureText explain_unknown_host(const std::string& words, const std::string& host,
                                 const base::ProgramNames& names) {
  return {.title = "The server name " + host + " is unknown",
          .why = words,
          .advice = {{"Check the name. An IP address works without name resolution:",
                      names.view + " 192.168.0.5"},
                     {"\"Other server\" lists the servers on the local network.", {}}}};
}

std::string scene_error_title(const SceneError& error) {
  return error.is_missing ? "The scene file is missing" : "The scene file has an error";
}

std::string scene_error_note(const SceneError& error) {
  return error.has_world
             ? "The world continues as it was. The file is loaded again when it is saved."
             : "The file is loaded when it is saved.";
}

}  // namespace jostle::panels

#include "client/panels/failure_panel.h"

namespace jostle::panels {
namespace {

using client::Failure;
using Advice = FailureText::Advice;

std::string title_of(Failure failure, const std::string& server) {
  switch (failure) {
    case Failure::NoAnswer:
      return "Nobody answers at " + server;
    case Failure::Lost:
      return "The connection to " + server + " is lost";
    case Failure::ShutDown:
      return "The server was shut down";
    case Failure::Full:
      return "The server is full";
    case Failure::OtherVersion:
      return "The server speaks another version";
    case Failure::OtherKey:
      return "This is not the server that you know";
    case Failure::TokenWanted:
      return "The server asks for a token";
    case Failure::TokenExpired:
      return "Your token has expired";
    case Failure::TokenUsed:
      return "Your token has been used";
    case Failure::TokenRevoked:
      return "Your token was revoked";
    case Failure::TokenOfNoUse:
      return "Your token is of no use here";
    case Failure::SharedKeyWanted:
      return "The server asks for a shared key";
    case Failure::NoSharedKeyAsked:
      return "The server takes no shared key";
    case Failure::NotAllowed:
      return "The server does not allow that";
    case Failure::Kicked:
      return "The server has sent you away";
    case Failure::Banned:
      return "The server lets nobody in from here";
    case Failure::NoWorld:
      return "The server sends no world";
    case Failure::Unreadable:
      return "The server says what makes no sense";
    case Failure::None:
      break;
  }
  return "Not connected";
}

/// Returns advice for a missing or invalid token.
std::vector<Advice> token_advice() {
  return {{"Whoever runs the server makes one for you, with", "jostle token issue"},
          {"Type it in at Other server, or start with", "jostle-view HOST --token TOKEN"}};
}

std::vector<Advice> advice_for(Failure failure, const std::string& port) {
  switch (failure) {
    case Failure::NoAnswer:
      return {
          {"Is a server running there? On this machine one starts with", "jostled --port " + port},
          {"On another one it must let others in, and UDP port " + port + " must be open:",
           "jostled --lan --port " + port},
          {"Servers of the local network are listed at Other server.", {}}};
    case Failure::Lost:
      return {
          {"Try again goes on in your place, where the server still keeps it.", {}},
          {"If it happens often, look at the network graph (N) and at the other end's log.", {}}};
    case Failure::ShutDown:
      return {{"When it runs again, Try again joins it.", {}}};
    case Failure::Full:
      return {{"Try again when somebody has left; or watch, where there is room for that:",
               "jostle-view HOST --spectate"},
              {"Whoever runs the server has room for more with", "jostled --max-players N"}};
    case Failure::OtherVersion:
      return {{"Both ends must be of one version. This one is told by", "jostle-view --version"},
              {"Build both from the same commit.", {}}};
    case Failure::OtherKey:
      return {{"Ask whoever runs it, by another way than this, and do not join before.", {}}};
    case Failure::TokenWanted:
    case Failure::TokenExpired:
    case Failure::TokenRevoked:
    case Failure::TokenOfNoUse:
      return token_advice();
    case Failure::TokenUsed: {
      std::vector<Advice> advice = token_advice();
      advice.push_back({"One that lets in more than once:", "jostle token issue --reusable"});
      return advice;
    }
    case Failure::SharedKeyWanted:
      return {{"Get the file with the key from whoever runs the server, and start with",
               "jostle-view HOST --psk FILE"}};
    case Failure::NoSharedKeyAsked:
      return {{"Start without --psk.", {}}};
    case Failure::NotAllowed:
      return {{"Ask for less: leave --lockstep and --predict out, or watch only:",
               "jostle-view HOST --spectate"},
              {"Or ask whoever runs the server for a token that allows more:",
               "jostle token issue --role operator"}};
    case Failure::Kicked:
    case Failure::Banned:
      return {{"Who broke the rules of the network stays out for a minute.", {}},
              {"If you did nothing wrong, ask whoever runs the server.", {}}};
    case Failure::NoWorld:
    case Failure::Unreadable:
      return {{"Is it a jostle server of the same version? This one's is told by",
               "jostle-view --version"}};
    case Failure::None:
      break;
  }
  return {};
}

}  // namespace

FailureText explain(Failure failure, const std::string& words, const std::string& server) {
  const std::string port = server.substr(server.rfind(':') + 1);  // HOST:PORT
  return {.title = title_of(failure, server), .why = words, .advice = advice_for(failure, port)};
}

}  // namespace jostle::panels

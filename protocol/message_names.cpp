#include "protocol/message_names.h"

#include <algorithm>
#include <array>

namespace jostle::protocol {
namespace {

struct MessageName {
  std::string_view kind;  // file identifier, or name of a layer
  std::string_view label;
  std::string_view json_key;  // stays the same between versions
};

constexpr std::array<MessageName, 23> names{
    {{"JSN1", "packed snapshots", "snapshots, packed"},
     {"JSN2", "snapshots", "snapshots"},
     {"JSN3", "predicted snapshots", "snapshots, predicted"},
     {"JSN4", "fine snapshots", "snapshots, fine"},
     {"JSN5", "lossless snapshots", "snapshots, lossless"},
     {"JPRT", "particles", "particles"},
     {"JRDO", "labels", "labels"},
     {"JVAL", "values", "values"},
     {"JCRD", "ropes", "ropes"},
     {"JOVL", "debug draw", "debug draw"},
     {"JSTA", "statistics", "statistics"},
     {"JBOD", "body reports", "body reports"},
     {"JINP", "inputs", "inputs"},
     {"JINF", "input frames", "frames"},
     {"JLCK", "lockstep", "lockstep"},
     {"JPIN", "clock requests", "clock requests"},
     {"JPON", "clock answers", "clock answers"},
     {"JCTL", "control", "control"},
     {"JWCH", "body spawns and removals", "body spawns and removals"},
     {"JBLB", "worlds", "worlds"},
     {"JCMD", "joins and controls", "joins and controls"},
     {"....", "continuations of long messages", "continuations of long messages"},
     {"sealing", "encryption", "sealing"}}};

std::string_view find(std::string_view kind, std::string_view MessageName::*part) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const MessageName& name) { return name.kind == kind; });
  return found == names.end() ? kind : (*found).*part;
}

}  // namespace

std::string_view name_of_message(std::string_view kind) {
  return find(kind, &MessageName::label);
}

std::string_view json_key_of_message(std::string_view kind) {
  return find(kind, &MessageName::json_key);
}

}  // namespace jostle::protocol

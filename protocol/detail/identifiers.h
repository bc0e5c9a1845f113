#pragma once

namespace jostle::protocol::detail {

// The four-letter FlatBuffers identifiers of all messages. The schemas in protocol/schema document
// the messages. Snapshots have one identifier for each codec.

inline constexpr const char* control_identifier = "JCTL";
inline constexpr const char* chunk_identifier = "JBLB";
inline constexpr const char* ping_identifier = "JPIN";
inline constexpr const char* pong_identifier = "JPON";

inline constexpr const char* packet_identifier = "JINP";
inline constexpr const char* commands_identifier = "JCMD";

inline constexpr const char* frames_identifier = "JINF";
inline constexpr const char* lockstep_identifier = "JLCK";
inline constexpr const char* simulation_identifier = "JSIM";

inline constexpr const char* bit_packed_identifier = "JSN1";
inline constexpr const char* context_identifier = "JSN2";
inline constexpr const char* predicted_identifier = "JSN3";
inline constexpr const char* fine_identifier = "JSN4";
inline constexpr const char* lossless_identifier = "JSN5";
inline constexpr const char* keyframe_identifier = "JKEY";
inline constexpr const char* precise_keyframe_identifier = "JKEP";

inline constexpr const char* world_identifier = "JWLD";
inline constexpr const char* change_identifier = "JWCH";
inline constexpr const char* shape_identifier = "JSHP";

inline constexpr const char* particles_identifier = "JPRT";
inline constexpr const char* labels_identifier = "JRDO";
inline constexpr const char* values_identifier = "JVAL";
inline constexpr const char* ropes_identifier = "JCRD";
inline constexpr const char* debug_draw_identifier = "JOVL";
inline constexpr const char* statistics_identifier = "JSTA";
inline constexpr const char* report_identifier = "JBOD";

}  // namespace jostle::protocol::detail

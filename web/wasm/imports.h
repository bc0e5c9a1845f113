#pragma once

#include <cstddef>
#include <cstdint>

// Functions that the page implements (web/page/src/module.ts).
extern "C" {

/// Returns the monotonic time, µs.
__attribute__((import_module("page"), import_name("now_us"))) double page_now_us();
/// Returns the seconds since 1970.
__attribute__((import_module("page"), import_name("unix_time_s"))) double page_unix_time_s();
/// Fills the bytes with random numbers of the browser's cryptographic generator.
__attribute__((import_module("page"), import_name("random"))) void page_random(std::byte* bytes,
                                                                               std::size_t size);
/// Opens the connection of a peer. The page answers with link_connected() or link_closed().
__attribute__((import_module("page"), import_name("connect"))) void page_connect(
    std::uint32_t peer);
/// Sends a message. Returns 0 if the connection is gone or its queue is full.
__attribute__((import_module("page"), import_name("send"))) std::uint32_t page_send(
    std::uint32_t peer, std::uint32_t channel, const std::byte* bytes, std::size_t size);
/// Closes the connection. The reason is a net::DisconnectReason.
__attribute__((import_module("page"), import_name("close"))) void page_close(std::uint32_t peer,
                                                                             std::uint32_t reason);
/// Returns the number of bytes that the connection has accepted but not sent yet.
__attribute__((import_module("page"), import_name("pending"))) std::size_t page_pending(
    std::uint32_t peer);
/// Decompresses a zstd frame of at most `capacity` bytes. Returns its size, or −1 on an error.
__attribute__((import_module("page"), import_name("unzstd"))) std::int32_t page_unzstd(
    const std::byte* packed, std::size_t size, std::byte* out, std::size_t capacity);
/// Writes a Unicode normal form of UTF-8 text: 0: NFC, 1: NFKC without case. Returns its size, or
/// −1 if the text is not valid or the result is larger than `capacity`.
__attribute__((import_module("page"), import_name("normalize"))) std::int32_t page_normalize(
    std::uint32_t form, const char* text, std::size_t size, char* out, std::size_t capacity);

/// Writes the text of an offered scene's file. Returns its size, or −1 if the page cannot fetch it.
/// A text that is longer than `capacity` is not written.
__attribute__((import_module("page"), import_name("scene_text"))) std::int32_t page_scene_text(
    const char* name, std::size_t size, char* out, std::size_t capacity);

}  // extern "C"

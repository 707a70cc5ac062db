// Texture and surface objects as arguments of `heddle ptx`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/device.h"

namespace heddle::cli {

// tex:FORMAT:WIDTH[xHEIGHT[xDEPTH]][:OPTION,...]:CONTENT     surf:FORMAT:SIZE:CONTENT
//   FORMAT   u8 s8 u16 s16 u32 s32 f16 f32, with x2 or x4 behind it for more channels
//   OPTION   memory (one row of linear memory; else a CUDA array), pitch=BYTES (linear memory of several rows), linear,
//            normalised (coordinates), values (integers as numbers up to 1), clamp, wrap, mirror, border,
//            colour=R/G/B/A (of the border), srgb, seamless, layered (DEPTH counts layers), cube, cubes (DEPTH counts
//            faces), levels=N (a mipmapped texture), between (filters between levels), bias=N, least=N, most=N (of
//            levels)
//   CONTENT  as that of a buffer, row by row without gaps, level after level: hex=HEX, @FILE, or a
//            number of zero bytes
struct TextureArgument {
    runtime::Texture texture; // without an address
};

// `description`: all before CONTENT, without "tex:" or "surf:". `text`: the whole argument, for messages. Throws
// UsageError.
[[nodiscard]] TextureArgument parse_texture(const std::string& text, std::string_view description, bool is_surface);
// Allocates and fills its memory, and makes the object. Without content there are `zeros` bytes of it. Throws
// UsageError where the content has another size.
[[nodiscard]] std::uint64_t place_texture(runtime::Device&, const std::string& text, const TextureArgument&,
                                          const std::vector<std::byte>& content, std::uint64_t zeros);

} // namespace heddle::cli

// Kernel arguments as `heddle ptx --arg` writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device.h"
#include "texture_argument.h"

namespace heddle::cli {

// One --arg: a value, or a buffer whose address is passed.
//   u8|s8|u16|s16|u32|s32|u64|s64|f32|f64:VALUE    bytes:HEX    buf:SIZE    buf:hex=HEX    buf:@FILE
// Or a texture or surface object whose handle is passed (texture_argument.h).
struct Argument {
    std::string text; // as written, for messages
    bool buffer = false;
    std::vector<std::byte> bytes; // the value, or the initial contents of the buffer or texels
    std::optional<TextureArgument> texture = std::nullopt;
    std::uint64_t zeros = 0; // bytes of a buffer or of texels without initial contents

    [[nodiscard]] std::uint64_t size() const {
        return bytes.size() + zeros;
    }
};

// Throws UsageError with the valid forms.
[[nodiscard]] Argument parse_argument(const std::string& text);

// The parameter block for `kernel`, and the address of each argument's buffer (0 for values): buffers are allocated on
// the device and filled. Throws UsageError when the arguments do not fit the kernel's parameters.
struct PlacedArguments {
    std::vector<std::byte> block;
    std::vector<Address> buffers;
};
[[nodiscard]] PlacedArguments place_arguments(runtime::Device&, const runtime::KernelInfo& kernel,
                                              const std::vector<Argument>&);

// Two hexadecimal digits a byte, lower case.
[[nodiscard]] std::string to_hex(const std::vector<std::byte>&);

} // namespace heddle::cli

#include "ptx_arguments.h"

#include <charconv>
#include <cstring>
#include <filesystem>
#include <type_traits>

#include <fmt/format.h>

#include "child.h"
#include "command.h"
#include "config/value.h"

namespace heddle::cli {

namespace {

constexpr std::string_view kForms = "write u8|s8|u16|s16|u32|s32|u64|s64|f32|f64:VALUE, bytes:HEX, buf:SIZE, "
                                    "buf:hex=HEX, buf:@FILE, tex:FORMAT:SIZE:... "
                                    "or surf:FORMAT:SIZE:...";

[[noreturn]] void refuse(const std::string& text, const std::string& reason) {
    throw UsageError(fmt::format("--arg {}: {}", text, reason));
}

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
    std::vector<std::byte> out(sizeof(T));
    std::memcpy(out.data(), &value, sizeof(T));
    return out;
}

// Decimal or 0x...; a sign for signed types and floating point.
template <class T>
std::vector<std::byte> parse_number(const std::string& text, std::string_view value) {
    T out{};
    std::string_view digits = value;
    int base = 10;
    if constexpr (std::is_unsigned_v<T>) {
        if (digits.starts_with("0x")) {
            digits.remove_prefix(2);
            base = 16;
        }
    }
    const char* const end = digits.data() + digits.size();
    std::from_chars_result result{};
    if constexpr (std::is_floating_point_v<T>)
        result = std::from_chars(digits.data(), end, out);
    else
        result = std::from_chars(digits.data(), end, out, base);
    if (result.ec == std::errc::result_out_of_range)
        refuse(text, fmt::format("'{}' does not fit into {} bits", value, 8 * sizeof(T)));
    if (result.ec != std::errc() || result.ptr != end)
        refuse(text, fmt::format("'{}' is not a number of this type", value));
    return bytes_of(out);
}

std::vector<std::byte> parse_hex(const std::string& text, std::string_view hex) {
    if (hex.empty() || hex.size() % 2 != 0)
        refuse(text, "hexadecimal bytes are pairs of digits, at least one pair");
    std::vector<std::byte> out;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        unsigned value = 0;
        const char* const end = hex.data() + i + 2;
        if (std::from_chars(hex.data() + i, end, value, 16).ptr != end)
            refuse(text, fmt::format("'{}' is not a pair of hexadecimal digits", hex.substr(i, 2)));
        out.push_back(static_cast<std::byte>(value));
    }
    return out;
}

std::vector<std::byte> content_of_file(const std::string& text, const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        refuse(text, fmt::format("there is no file {}", path.string()));
    const std::string bytes = read_file(path);
    if (bytes.empty())
        refuse(text, "the file is empty or cannot be read; a buffer has at least 1 byte");
    const auto* const data = reinterpret_cast<const std::byte*>(bytes.data());
    return {data, data + bytes.size()};
}

std::uint64_t parse_size(const std::string& text, std::string_view size) {
    try {
        const std::uint64_t bytes = config::parse_bytes(size);
        if (bytes == 0)
            refuse(text, "a buffer has at least 1 byte");
        if (bytes > std::uint64_t{1} << 40)
            refuse(text, "a buffer has at most 1024 GiB");
        return bytes;
    } catch (const UsageError&) {
        throw;
    } catch (const UserError& e) {
        refuse(text, e.what());
    }
}

// The contents of a buffer or of texels. A size alone takes no memory here: the device's memory begins with zeros.
Argument with_content(Argument argument, std::string_view content) {
    if (content.starts_with("hex="))
        argument.bytes = parse_hex(argument.text, content.substr(4));
    else if (content.starts_with('@'))
        argument.bytes = content_of_file(argument.text, content.substr(1));
    else
        argument.zeros = parse_size(argument.text, content);
    return argument;
}

} // namespace

Argument parse_argument(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
        refuse(text, fmt::format("not an argument; {}", kForms));
    const std::string_view type = std::string_view(text).substr(0, colon);
    const std::string_view value = std::string_view(text).substr(colon + 1);
    if (type == "buf")
        return with_content({text, true, {}}, value);
    if (type == "tex" || type == "surf") {
        const std::size_t last = std::min(value.rfind(':'), value.size());
        return with_content({text, false, {}, parse_texture(text, value.substr(0, last), type == "surf")},
                            value.substr(std::min(last + 1, value.size())));
    }
    if (type == "bytes")
        return {text, false, parse_hex(text, value)};
    using Parse = std::vector<std::byte> (*)(const std::string&, std::string_view);
    constexpr std::pair<std::string_view, Parse> kTypes[] = {
        {"u8", parse_number<std::uint8_t>},   {"s8", parse_number<std::int8_t>},
        {"u16", parse_number<std::uint16_t>}, {"s16", parse_number<std::int16_t>},
        {"u32", parse_number<std::uint32_t>}, {"s32", parse_number<std::int32_t>},
        {"u64", parse_number<std::uint64_t>}, {"s64", parse_number<std::int64_t>},
        {"f32", parse_number<float>},         {"f64", parse_number<double>},
    };
    for (const auto& [name, parse] : kTypes)
        if (name == type)
            return {text, false, parse(text, value)};
    refuse(text, fmt::format("there is no type '{}'; {}", type, kForms));
}

PlacedArguments place_arguments(runtime::Device& device, const runtime::KernelInfo& kernel,
                                const std::vector<Argument>& arguments) {
    if (arguments.size() != kernel.parameters.size())
        throw UsageError(fmt::format("entry '{}' has {} parameters, and {} arguments are given (--arg)", kernel.name,
                                     kernel.parameters.size(), arguments.size()));
    PlacedArguments out{std::vector<std::byte>(kernel.parameter_bytes), {}};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Argument& argument = arguments[i];
        std::vector<std::byte> value = argument.bytes;
        out.buffers.push_back(0);
        if (argument.buffer) {
            const Address address =
                device.allocate(argument.size(), fmt::format("argument {}", i), runtime::Owner::Context);
            if (address == 0)
                refuse(argument.text, "the device has no room for this buffer (device.memory)");
            if (!argument.bytes.empty())
                device.write(address, argument.bytes.data(), argument.bytes.size());
            out.buffers.back() = address;
            value = bytes_of(address);
        } else if (argument.texture) {
            value = bytes_of(place_texture(device, argument.text, *argument.texture, argument.bytes, argument.zeros));
        }
        const runtime::ParameterInfo& parameter = kernel.parameters[i];
        if (value.size() != parameter.bytes)
            refuse(argument.text, fmt::format("{} bytes, but parameter {} of entry '{}' has {} bytes", value.size(), i,
                                              kernel.name, parameter.bytes));
        std::memcpy(out.block.data() + parameter.offset, value.data(), value.size());
    }
    return out;
}

std::string to_hex(const std::vector<std::byte>& bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string out;
    out.reserve(2 * bytes.size());
    for (const std::byte b : bytes) {
        out += kDigits[std::to_integer<unsigned>(b) >> 4];
        out += kDigits[std::to_integer<unsigned>(b) & 15];
    }
    return out;
}

} // namespace heddle::cli

#include "texture_argument.h"

#include <charconv>

#include <fmt/format.h>

#include "command.h"

namespace heddle::cli {

namespace {

using runtime::Sampler;
using runtime::TexelArray;
using runtime::TexelFormat;
using runtime::Texture;

[[noreturn]] void refuse(const std::string& text, const std::string& reason) {
    throw UsageError(fmt::format("--arg {}: {}", text, reason));
}

// The pieces of `list` between separators.
std::vector<std::string_view> split(std::string_view list, char separator) {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(separator, at), list.size());
        out.push_back(list.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

template <class T>
T number(const std::string& text, std::string_view word) {
    T out{};
    const auto result = std::from_chars(word.data(), word.data() + word.size(), out);
    if (result.ec != std::errc() || result.ptr != word.data() + word.size())
        refuse(text, fmt::format("'{}' is not a number that can stand here", word));
    return out;
}

TexelFormat parse_format(const std::string& text, std::string_view word) {
    TexelFormat out;
    const std::size_t x = word.find('x');
    if (x != std::string_view::npos)
        out.channels = number<std::uint8_t>(text, word.substr(x + 1));
    const std::string_view kind = word.substr(0, x);
    constexpr std::string_view kKinds[] = {"u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32"};
    if (std::find(std::begin(kKinds), std::end(kKinds), kind) == std::end(kKinds) ||
        (out.channels != 1 && out.channels != 2 && out.channels != 4))
        refuse(text,
               fmt::format("'{}' is no format: write u8, s8, u16, s16, u32, s32, f16 or f32, and x2 or x4 behind it "
                           "for more channels",
                           word));
    out.kind = kind[0] == 'u'   ? TexelFormat::Kind::Unsigned
               : kind[0] == 's' ? TexelFormat::Kind::Signed
                                : TexelFormat::Kind::Float;
    out.bits = number<std::uint8_t>(text, kind.substr(1));
    return out;
}

// Makes room for the number of levels; the arrays come when all options are known.
void add_levels(const std::string& text, std::string_view word, Texture& out) {
    const auto levels = number<unsigned>(text, word);
    if (levels == 0 || levels > 17)
        refuse(text, "a texture has 1 to 17 levels");
    out.mipmapped = true;
    out.smaller.resize(levels - 1);
    out.sampler.most_level = static_cast<float>(levels - 1);
}

void apply_option(const std::string& text, std::string_view option, Texture& out) {
    Sampler& sampler = out.sampler;
    if (option == "linear")
        sampler.linear = true;
    else if (option == "normalised")
        sampler.normalised_coordinates = true;
    else if (option == "values")
        sampler.normalised_values = true;
    else if (option == "wrap")
        sampler.outside.fill(Sampler::Outside::Wrap);
    else if (option == "clamp")
        sampler.outside.fill(Sampler::Outside::Clamp);
    else if (option == "mirror")
        sampler.outside.fill(Sampler::Outside::Mirror);
    else if (option == "border")
        sampler.outside.fill(Sampler::Outside::Border);
    else if (option == "srgb")
        sampler.srgb = true;
    else if (option == "seamless")
        sampler.seamless = true;
    else if (option == "layered")
        out.layers = Texture::Layers::Layered;
    else if (option == "cube")
        out.layers = Texture::Layers::Cube;
    else if (option == "cubes")
        out.layers = Texture::Layers::LayeredCube;
    else if (option == "between")
        sampler.linear_levels = true;
    else if (option.starts_with("levels="))
        add_levels(text, option.substr(7), out);
    else if (option.starts_with("bias="))
        sampler.level_bias = number<float>(text, option.substr(5));
    else if (option.starts_with("least="))
        sampler.least_level = number<float>(text, option.substr(6));
    else if (option.starts_with("most="))
        sampler.most_level = number<float>(text, option.substr(5));
    else if (option == "memory")
        out.texels.layout = TexelArray::Layout::Linear;
    else if (option.starts_with("pitch=")) {
        out.texels.layout = TexelArray::Layout::Pitch;
        out.texels.pitch = number<std::uint64_t>(text, option.substr(6));
    } else if (option.starts_with("colour=")) {
        const std::vector<std::string_view> colour = split(option.substr(7), '/');
        if (colour.size() != sampler.border.size())
            refuse(text, "a colour is R/G/B/A");
        for (std::size_t i = 0; i < colour.size(); ++i)
            sampler.border[i] = number<float>(text, colour[i]);
    } else {
        refuse(text,
               fmt::format("'{}' is no option: write memory, pitch=BYTES, linear, normalised, values, clamp, wrap, "
                           "mirror, border, colour=R/G/B/A, srgb, seamless, layered, cube, cubes, levels=N, between, "
                           "bias=N, least=N or most=N",
                           option));
    }
}

// Writes the rows of an array. Returns the end of the content.
const std::byte* fill(runtime::Device& device, const TexelArray& texels, const std::byte* from) {
    const std::uint64_t row = std::uint64_t{texels.width} * texels.format.bytes();
    for (std::uint32_t layer = 0; layer < texels.depth; ++layer)
        for (std::uint32_t y = 0; y < texels.height; ++y, from += row)
            texels.for_each_piece(0, row, y, layer, [&](Address to, std::uint64_t offset, std::uint64_t bytes) {
                device.write(to, from + offset, bytes);
            });
    return from;
}

} // namespace

TextureArgument parse_texture(const std::string& text, std::string_view description, bool is_surface) {
    const std::vector<std::string_view> parts = split(description, ':');
    if (parts.size() < 2 || parts.size() > (is_surface ? 2U : 3U))
        refuse(text, is_surface ? "a surface is surf:FORMAT:SIZE:CONTENT"
                                : "a texture is tex:FORMAT:SIZE[:OPTION,...]:CONTENT");
    TextureArgument out;
    const std::vector<std::string_view> sizes = split(parts[1], 'x');
    if (sizes.size() > 3)
        refuse(text, "a size is WIDTH[xHEIGHT[xDEPTH]]");
    std::array<std::uint32_t, 3> size{1, 1, 1};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        size.at(i) = number<std::uint32_t>(text, sizes[i]);
        if (size.at(i) == 0 || size.at(i) > 1U << 16)
            refuse(text, "sizes are whole numbers from 1 to 65536");
    }
    const TexelFormat format = parse_format(text, parts[0]);
    out.texture.texels = TexelArray::tiled(format, size[0], size[1], size[2]);
    out.texture.kind = is_surface ? Texture::Kind::Surface : Texture::Kind::Texture;
    if (parts.size() == 3)
        for (const std::string_view option : split(parts[2], ','))
            apply_option(text, option, out.texture);
    const TexelArray& texels = out.texture.texels;
    if (out.texture.mipmapped && texels.layout != TexelArray::Layout::Tiled)
        refuse(text, "linear memory has no levels");
    if (texels.layout == TexelArray::Layout::Linear && size[1] * size[2] != 1)
        refuse(text, "linear memory has one row");
    if (texels.layout == TexelArray::Layout::Pitch &&
        (size[2] != 1 || texels.pitch < std::uint64_t{size[0]} * format.bytes()))
        refuse(text, "linear memory of several rows has no depth, and a pitch of at least a row");
    return out;
}

std::uint64_t place_texture(runtime::Device& device, const std::string& text, const TextureArgument& argument,
                            const std::vector<std::byte>& content, std::uint64_t zeros) {
    Texture texture = argument.texture;
    const bool layered = texture.layers != Texture::Layers::None;
    const auto place_levels = [&] {
        const TexelArray* last = &texture.texels;
        for (TexelArray& level : texture.smaller) {
            level = last->next_level(layered);
            last = &level;
        }
    };
    place_levels();
    std::uint64_t texels = 0;
    for (unsigned l = 0; l < texture.levels(); ++l)
        texels += std::uint64_t{texture.level(l).width} * texture.level(l).height * texture.level(l).depth;
    const unsigned bytes = texture.texels.format.bytes();
    if (content.size() + zeros != texels * bytes)
        refuse(text, fmt::format("{} bytes of content; {} texels of {} bytes are {}", content.size() + zeros, texels,
                                 bytes, texels * bytes));
    texture.texels.begin = device.allocate(texture.bytes(), "texels", runtime::Owner::Context);
    if (texture.texels.begin == 0)
        refuse(text, "the device has no room for it (device.memory)");
    place_levels();
    if (zeros != 0) // that is how memory begins
        return device.add_texture(texture);
    const std::byte* from = content.data();
    for (unsigned l = 0; l < texture.levels(); ++l)
        from = fill(device, texture.level(l), from);
    return device.add_texture(texture);
}

} // namespace heddle::cli

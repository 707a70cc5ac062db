#include "runtime/opaque_variables.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace heddle::runtime {

namespace {

using exec::Sampler;
using exec::Texture;
using ptx::OpaqueField;

// Fields that tell what is bound to a variable. Here the binding itself tells it.
constexpr std::string_view kOfBinding[] = {"width",         "height",     "depth",         "channel_data_type",
                                           "channel_order", "array_size", "memory_layout", "num_mipmap_levels",
                                           "num_samples"};

std::optional<Sampler::Outside> mode_named(std::string_view word) {
    constexpr std::pair<std::string_view, Sampler::Outside> kModes[] = {
        {"wrap", Sampler::Outside::Wrap},
        {"mirror", Sampler::Outside::Mirror},
        {"clamp_to_edge", Sampler::Outside::Clamp},
        {"clamp_to_border", Sampler::Outside::Border},
    };
    for (const auto& [name, mode] : kModes)
        if (word == name)
            return mode;
    return std::nullopt;
}

// Whether the field is understood.
bool apply(const OpaqueField& field, Sampler& out) {
    constexpr std::array<std::string_view, 3> kModes{"addr_mode_0", "addr_mode_1", "addr_mode_2"};
    if (const auto at = std::find(kModes.begin(), kModes.end(), field.name); at != kModes.end()) {
        const std::optional<Sampler::Outside> mode = mode_named(field.word);
        out.outside[static_cast<std::size_t>(at - kModes.begin())] = mode.value_or(Sampler::Outside::Clamp);
        return mode.has_value();
    }
    if (field.name == "filter_mode") {
        out.linear = field.word == "linear";
        return out.linear || field.word == "nearest";
    }
    const bool coordinates = field.name == "normalized_coords", forced = field.name == "force_unnormalized_coords";
    if (!coordinates && !forced)
        return std::find(std::begin(kOfBinding), std::end(kOfBinding), field.name) != std::end(kOfBinding);
    (coordinates ? out.normalised_coordinates : out.forced_texels) = field.number != 0;
    return field.word.empty() && field.number <= 1;
}

} // namespace

Texture opaque_object(const ptx::Variable& variable, Diagnostics& diagnostics) {
    Texture out;
    out.kind = *exec::kind_of(variable.type);
    if (!variable.extents.empty())
        diagnostics.error(variable.where, fmt::format("arrays of .{} are not supported", ptx::name_of(variable.type)));
    for (const OpaqueField& field : variable.fields)
        if (!apply(field, out.sampler))
            diagnostics.error(field.where, fmt::format("the field '{}' of a .{} can not have this value, or is not "
                                                       "supported",
                                                       field.name, ptx::name_of(variable.type)));
    return out;
}

} // namespace heddle::runtime

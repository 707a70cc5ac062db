#include "exec/texture_objects.h"

#include <fmt/format.h>

#include "exec/lane_access.h"

namespace heddle::exec {

namespace {

std::string_view name_of(Texture::Kind kind) {
    return kind == Texture::Kind::Texture ? "texture" : kind == Texture::Kind::Surface ? "surface" : "sampler";
}

} // namespace

const Texture* TextureObjects::look_up(const Use& use, unsigned i) const {
    const TextureTable* const textures = state_.launch().textures;
    return textures == nullptr ? nullptr
                               : textures->find(lane_value<std::uint64_t>(use.handle, use.s, state_.pool(), i));
}

void TextureObjects::fault(const Use& use, unsigned i, const std::string& what) const {
    faults_.fault(Fault::Kind::Address, use.pc, use.s.row, use.s.lane(i), what);
}

const Texture& TextureObjects::find(const Use& use, unsigned i, Texture::Kind kind, const Texture* last) const {
    const Texture* const found = look_up(use, i);
    if (found != nullptr && found == last)
        return *found;
    const auto handle = lane_value<std::uint64_t>(use.handle, use.s, state_.pool(), i);
    const std::string_view name = name_of(kind);
    const TextureTable* const textures = state_.launch().textures;
    if (found == nullptr)
        fault(use, i,
              fmt::format("{:#x} is {} {} object", handle,
                          textures != nullptr && textures->is_destroyed(handle) ? "a destroyed" : "no", name));
    if (found->kind != kind)
        fault(use, i,
              fmt::format("{:#x} is a {} object, where a {} object is needed", handle, name_of(found->kind), name));
    if (kind == Texture::Kind::Sampler)
        return *found;
    if (found->texels.begin == 0)
        fault(use, i, fmt::format("nothing is bound to the {} reference {:#x}", name, handle));
    if (image_.find(found->texels.begin, found->bytes()) == nullptr)
        fault(use, i, fmt::format("the memory of {} object {:#x} has been freed", name, handle));
    return *found;
}

} // namespace heddle::exec

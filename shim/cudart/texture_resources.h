// What texture and surface objects are made of: arrays, mipmapped arrays and linear memory, and views of them.
#pragma once

#include <string>

#include "state.h"

namespace heddle::cudart {

// Says why a call fails, and returns the error.
cudaError_t refuse(const std::string& why, cudaError_t error);
// Reads where a resource has its texels, which levels and which layers.
cudaError_t read_resource(State& state, const cudaResourceDesc& what, runtime::Texture& out);
// The same for a surface, which is an array that permits it.
cudaError_t read_surface(State& state, const cudaResourceDesc& what, runtime::Texture& out);
// Limits a texture to the part of the resource that a view has, in the view's format.
cudaError_t apply_view(const cudaResourceDesc& resource, const cudaResourceViewDesc& view, runtime::Texture& out);
// Reads how a texture is read. `texture`: what it is made of.
cudaError_t read_sampler(const cudaTextureDesc& how, runtime::Texture& texture);

} // namespace heddle::cudart

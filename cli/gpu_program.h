// Programs on a GPU of this computer, without heddle: built with the CUDA toolkit that is installed.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace heddle::cli {

// Builds a CUDA source with nvcc for the GPU that is there, runs it, and returns what it has printed. nvcc is that of
// PATH, else of CUDA_HOME, else of /usr/local/cuda. Throws UserError when there is none, when it fails, and when the
// program does.
[[nodiscard]] std::string output_on_gpu(const std::filesystem::path& source,
                                        std::span<const std::filesystem::path> include_folders);

} // namespace heddle::cli

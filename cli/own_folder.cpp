#include "own_folder.h"

namespace heddle::cli {

namespace fs = std::filesystem;

fs::path own_prefix() {
    return fs::read_symlink("/proc/self/exe").parent_path().parent_path();
}

fs::path own_folder(const char* installed, const char* name) {
    fs::path folder = own_prefix() / installed / name;
    return fs::is_directory(folder) ? folder : own_prefix() / name;
}

} // namespace heddle::cli

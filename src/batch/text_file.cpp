#include "batch/text_file.h"

#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/source.h"

namespace heddle::batch {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_text(const fs::path& path, const std::string& text) {
    const fs::path aside = path.string() + ".new";
    std::ofstream out(aside, std::ios::binary);
    out << text;
    out.close();
    std::error_code error;
    if (out)
        fs::rename(aside, path, error);
    if (!out || error)
        throw UserError(fmt::format("{}: cannot be written", path.string()));
}

} // namespace heddle::batch

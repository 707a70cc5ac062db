#include "loaded_libraries.h"

#include <algorithm>
#include <sstream>

#include "child.h"
#include "program_file.h"
#include "temporary_file.h"

namespace heddle::cli {

namespace {

// A line of the loader's list: "\tNAME => PATH (ADDRESS)", or "\tNAME => not found".
LoadedLibrary library_of(const std::string& line) {
    LoadedLibrary out{line.substr(1, line.find(' ', 1) - 1), ""};
    const std::size_t arrow = line.find("=> /");
    if (arrow != std::string::npos)
        out.path = line.substr(arrow + 3, line.rfind(" (") - arrow - 3);
    return out;
}

} // namespace

std::vector<LoadedLibrary> loaded_libraries(const std::string& program, const std::filesystem::path& folder) {
    const TemporaryFile list;
    (void)wait_for(
        start({{program}, {{"LD_TRACE_LOADED_OBJECTS", "1"}, {"LD_LIBRARY_PATH", library_path(folder)}}, list.path()}));
    std::vector<LoadedLibrary> out;
    std::istringstream text(list.content());
    for (std::string line; std::getline(text, line);)
        if (line.starts_with('\t'))
            out.push_back(library_of(line));
    return out;
}

const LoadedLibrary* find_runtime(const std::vector<LoadedLibrary>& libraries) {
    const auto found = std::find_if(libraries.begin(), libraries.end(), [](const LoadedLibrary& library) {
        return library.soname.starts_with("libcudart.so");
    });
    return found == libraries.end() ? nullptr : &*found;
}

} // namespace heddle::cli

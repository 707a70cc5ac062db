#include "experiment/kernel_name.h"

#include <algorithm>

#include "base/readable_name.h"

namespace heddle::experiment {

std::string source_name(const std::string& symbol, bool with_arguments) {
    const std::string name = readable_name(symbol);
    const std::size_t arguments = std::min(name.find('<'), name.size());
    const std::size_t colon = name.rfind(':', arguments);
    const std::size_t begin = colon == std::string::npos ? 0 : colon + 1;
    return name.substr(begin, with_arguments ? std::string::npos : arguments - begin);
}

bool is_kernel_called(const std::string& symbol, const std::string& name) {
    return symbol == name || source_name(symbol, false) == name || source_name(symbol, true) == name;
}

} // namespace heddle::experiment

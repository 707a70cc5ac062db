#include "base/readable_name.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>

namespace heddle {

std::string readable_name(const std::string& symbol) {
    if (!symbol.starts_with("_Z")) // else the name "f" would be a type, float
        return symbol;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0)
        return symbol;
    std::string out = demangled.get();
    static constexpr std::string_view kUnnamed = "(anonymous namespace)::"; // its parenthesis begins no parameters
    for (std::size_t at = out.find(kUnnamed); at != std::string::npos; at = out.find(kUnnamed, at))
        out.erase(at, kUnnamed.size());
    for (std::size_t i = 0, depth = 0; i < out.size(); ++i) {
        depth += out[i] == '<' ? 1 : 0;
        depth -= out[i] == '>' && depth > 0 ? 1 : 0;
        if (out[i] == '(' && depth == 0)
            out.resize(i);
    }
    if (const std::size_t space = out.find(' '); space < out.find('<')) // a template's name follows its return type
        out.erase(0, space + 1);
    return out;
}

} // namespace heddle

#include "ir/program.h"

#include <fmt/format.h>

namespace heddle::ir {

const Kernel* Program::find_kernel(std::uint32_t module, std::string_view name) const {
    for (const Kernel& kernel : kernels)
        if (kernel.module == module && kernel.name == name)
            return &kernel;
    return nullptr;
}

std::string Program::describe(Pc pc) const {
    const Origin& origin = origins.at(pc);
    const UnitInfo& unit = units.at(origin.unit);
    std::string text = fmt::format("{}:{}:{}", unit.source->name(), origin.where.line, origin.where.column);
    if (origin.source_file != 0)
        text += fmt::format(" ({}:{})", unit.files.at(origin.source_file - 1), origin.source_line);
    return text;
}

std::string Program::instruction(Pc pc) const {
    const Origin& origin = origins.at(pc);
    const std::string_view line = units.at(origin.unit).source->line(origin.where.line);
    const std::size_t begin = origin.where.column == 0 ? line.size() : origin.where.column - 1;
    const std::string_view text = begin < line.size() ? line.substr(begin) : std::string_view();
    const std::string_view word = text.substr(0, text.find_first_of(" \t;({"));
    // The return that ends a body without one stands at its closing brace.
    return word.empty() || word[0] == '}' ? std::string(info(ops.at(pc).opcode).name) : std::string(word);
}

} // namespace heddle::ir

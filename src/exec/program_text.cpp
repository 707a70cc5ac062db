#include "exec/program_text.h"

#include <string_view>

#include <fmt/format.h>

namespace heddle::exec {

namespace {

std::string_view trimmed(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin == std::string_view::npos ? std::string_view{}
                                           : line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

} // namespace

std::string place_text(const ir::Program& program, Pc pc) {
    return pc < program.origins.size() ? program.describe(pc) : fmt::format("micro-op {}", pc);
}

std::string line_text(const ir::Program& program, Pc pc) {
    if (pc >= program.origins.size())
        return place_text(program, pc);
    const ir::Origin& origin = program.origins[pc];
    const ir::UnitInfo& unit = program.units.at(origin.unit);
    return origin.source_file != 0
               ? fmt::format("{}:{}", unit.files.at(origin.source_file - 1), origin.source_line)
               : fmt::format("{}:{}", unit.source == nullptr ? "PTX" : unit.source->name(), origin.where.line);
}

std::string calls_text(const ir::Program& program, Pc pc) {
    std::string out;
    if (pc >= program.origins.size())
        return out;
    const ir::Origin& origin = program.origins[pc];
    const ir::UnitInfo& unit = program.units.at(origin.unit);
    for (std::uint32_t call = origin.call; call != 0; call = unit.calls.at(call - 1).call)
        if (const ir::InlinedCall& at = unit.calls.at(call - 1); at.file != 0)
            out += fmt::format(", called at {}:{}", unit.files.at(at.file - 1), at.line);
    return out;
}

std::string instruction_text(const ir::Program& program, Pc pc) {
    if (pc >= program.origins.size())
        return {};
    const ir::Origin& origin = program.origins[pc];
    if (origin.unit >= program.units.size() || program.units[origin.unit].source == nullptr)
        return {};
    return std::string(trimmed(program.units[origin.unit].source->line(origin.where.line)));
}

} // namespace heddle::exec

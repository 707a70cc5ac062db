// PTX text to a program, for tests.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "ir/disassemble.h"
#include "ir/lower.h"
#include "ptx/parser.h"

namespace heddle::ir::test {

struct Lowered {
    std::string text; // where the syntax tree's names point
    Program program;
    std::string errors;

    [[nodiscard]] const Kernel& kernel(std::string_view name = "k") const {
        const Kernel* found = program.find_kernel(0, name);
        if (found == nullptr)
            throw std::runtime_error(fmt::format("no kernel {}; {}", name, errors));
        return *found;
    }
    [[nodiscard]] const MicroOp& op(Pc pc) const {
        return program.ops.at(pc);
    }
    // Lane 0 of a constant.
    [[nodiscard]] std::uint64_t constant(Place place, unsigned bytes, unsigned lane = 0) const {
        std::uint64_t value = 0;
        std::memcpy(&value, &program.pool.at((place & ~kPool) + std::size_t{lane} * bytes), bytes);
        return value;
    }
};

inline constexpr Address kVariable = 0x1000'0000'0000; // all module variables lie here, 0x100 apart by first letter

inline Lowered lower_text(std::string text) {
    Lowered out;
    const auto source = std::make_shared<const SourceText>("t.ptx", std::move(text));
    Diagnostics diagnostics(source);
    const ptx::Module module = ptx::parse(source, diagnostics);
    if (!diagnostics.failed())
        lower(ModuleNames({&module, 1}),
              [](const ptx::Variable& v) {
                  return v.name.starts_with("nowhere") ? 0 : kVariable + 0x100 * static_cast<unsigned>(v.name[0] - 'a');
              },
              out.program, {&diagnostics, 1});
    out.errors = diagnostics.render();
    return out;
}

inline constexpr std::string_view kHeader = ".version 7.8\n.target sm_80\n.address_size 64\n";

// A kernel k with these instructions and registers %p, %h (b16), %r (b32), %d (b64), %f, %g (f32, f64), 20 of each.
// The body begins in line 6.
inline std::string kernel_text(std::string_view body, std::string_view parameters = "", std::string_view module = "") {
    return fmt::format("{}{}.visible .entry k({}) {{ .reg .pred %p<20>; .reg .b16 %h<20>; .reg .b32 %r<20>;\n"
                       ".reg .b64 %d<20>; .reg .f32 %f<20>; .reg .f64 %g<20>;\n{}\n}}\n",
                       kHeader, module, parameters, body);
}

inline Lowered lower_body(std::string_view body, std::string_view parameters = "", std::string_view module = "") {
    return lower_text(kernel_text(body, parameters, module));
}

} // namespace heddle::ir::test

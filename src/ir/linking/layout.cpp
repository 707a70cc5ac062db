#include "ir/linking/layout.h"

#include <algorithm>

namespace heddle::ir {

namespace {

std::uint32_t place(std::uint32_t& end, const ptx::Variable& variable) {
    const std::uint64_t begin = align_up(end, variable.alignment());
    end = static_cast<std::uint32_t>(begin + variable.bytes());
    return static_cast<std::uint32_t>(begin);
}

bool is_dynamic(const ptx::Variable& variable) {
    return variable.is_extern || variable.elements() == 0;
}

} // namespace

ParameterBlock layout_parameters(std::span<const ptx::Variable> parameters) {
    ParameterBlock block;
    for (const ptx::Variable& p : parameters) {
        const std::uint32_t offset = place(block.bytes, p);
        block.parameters.push_back(
            {offset, static_cast<std::uint32_t>(p.bytes()), p.alignment(), p.type, std::string(p.name)});
    }
    return block;
}

Formals layout_formals(const ptx::Function& function) {
    Formals formals;
    for (const ptx::Variable& v : function.results)
        formals.results.push_back(place(formals.bytes, v));
    for (const ptx::Variable& v : function.parameters)
        formals.parameters.push_back(place(formals.bytes, v));
    return formals;
}

Area layout_locals(std::span<const ptx::Local> locals, ptx::Space space, std::uint32_t begin) {
    struct Taken {
        std::uint32_t end_of_scope;
        std::uint32_t end;
    };
    std::vector<Taken> stack; // scopes nest, so the variables alive at a declaration form a stack
    Area area{std::vector<std::uint32_t>(locals.size(), 0), begin};
    for (std::size_t i = 0; i < locals.size(); ++i) {
        const ptx::Local& local = locals[i];
        if (local.variable.space != space)
            continue;
        std::erase_if(stack, [&](const Taken& t) { return t.end_of_scope <= local.begin; });
        std::uint32_t end = begin;
        for (const Taken& t : stack)
            end = std::max(end, t.end);
        area.offset[i] = place(end, local.variable);
        stack.push_back({local.end, end});
        area.bytes = std::max(area.bytes, end);
    }
    return area;
}

SharedLayout layout_shared(std::span<const ptx::Variable* const> variables) {
    SharedLayout layout{std::vector<std::uint32_t>(variables.size(), 0), 0};
    std::uint32_t dynamic_alignment = 0;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (is_dynamic(*variables[i]))
            dynamic_alignment = std::max({dynamic_alignment, variables[i]->alignment(), 16U});
        else
            layout.offset[i] = place(layout.bytes, *variables[i]);
    }
    if (dynamic_alignment > 16) // the launch aligns by 16 only: pad the static part
        layout.bytes = static_cast<std::uint32_t>(align_up(layout.bytes, dynamic_alignment));
    for (std::size_t i = 0; i < variables.size(); ++i)
        if (is_dynamic(*variables[i]))
            layout.offset[i] = static_cast<std::uint32_t>(align_up(layout.bytes, 16));
    return layout;
}

} // namespace heddle::ir

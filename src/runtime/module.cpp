#include "runtime/module.h"

#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "ir/lower.h"
#include "ir/names.h"
#include "ptx/parser.h"
#include "runtime/device_heap.h"

namespace heddle::runtime {
namespace {

bool in_memory(const ptx::Variable& v) {
    return v.space == ptx::Space::Global || v.space == ptx::Space::Const;
}

// Gives every variable of the module a place. Declarations of what the module itself defines are no variables.
Variables place(const ptx::Module& module, exec::MemoryImage& image, Diagnostics& diagnostics) {
    Variables out;
    for (const ptx::Variable& v : module.variables) {
        if (!in_memory(v) || v.is_extern)
            continue;
        const std::uint64_t bytes = std::max<std::uint64_t>(v.bytes(), 1);
        const Address address =
            v.is_managed ? image.allocate_shared(bytes, std::string(v.name))
                         : image.allocate(bytes, std::string(v.name), v.space == ptx::Space::Const,
                                          std::max<std::uint64_t>(v.alignment(), exec::MemoryImage::kGranule));
        if (address == 0)
            diagnostics.error(v.where,
                              fmt::format("'{}' of {} bytes does not fit into the device's memory (device.memory){}",
                                          v.name, v.bytes(),
                                          v.is_managed ? ", or the program has something else at its address" : ""));
        out.emplace(v.name, Variable{address, v.bytes()});
    }
    for (const ptx::Variable& v : module.variables)
        if (in_memory(v) && v.is_extern && !out.contains(v.name))
            diagnostics.error(v.where,
                              fmt::format("external variable '{}' is defined nowhere: compile without -rdc, or link "
                                          "the modules first",
                                          v.name));
    return out;
}

void write_value(const ptx::Variable& v, const ptx::InitialValue& value, const Variables& variables,
                 const ir::ModuleNames& names, std::byte* to, Diagnostics& diagnostics) {
    using Kind = ptx::InitialValue::Kind;
    const unsigned size = ptx::size_of(v.type);
    std::uint64_t bits = value.bits;
    if (value.kind == Kind::Symbol) {
        const auto symbol = variables.find(value.symbol);
        const std::optional<std::uint32_t> function = names.function(value.symbol);
        if (symbol == variables.end() && !function) {
            diagnostics.error(
                value.where, fmt::format("'{}' is no variable or function of this module: only those have addresses an "
                                         "initialiser can hold",
                                         value.symbol));
            return;
        }
        bits = (symbol != variables.end() ? symbol->second.address : ir::code_address(*function)) +
               static_cast<std::uint64_t>(value.offset);
        if (value.byte != 0xff)
            bits = bits >> (8 * value.byte) & 0xff;
    } else if (value.kind == Kind::Float && v.type == ptx::Type::F32) {
        double wide;
        std::memcpy(&wide, &value.bits, sizeof wide);
        const auto narrow = static_cast<float>(wide);
        std::uint32_t word;
        std::memcpy(&word, &narrow, sizeof word);
        bits = word;
    }
    std::memcpy(to, &bits, size); // the low bytes: hosts are little-endian like the device
}

void initialise(const ptx::Module& module, const Variables& variables, exec::MemoryImage& image,
                Diagnostics& diagnostics) {
    const ir::ModuleNames names(module);
    for (const ptx::Variable& v : module.variables) {
        if (!in_memory(v) || v.initial.empty())
            continue;
        const unsigned size = ptx::size_of(v.type);
        if (v.initial.size() * size > v.bytes()) {
            diagnostics.error(v.where, fmt::format("the initialiser of '{}' has {} values, but the variable holds {}",
                                                   v.name, v.initial.size(), v.bytes() / size));
            continue;
        }
        std::byte* to = image.host(variables.at(std::string(v.name)).address);
        for (const ptx::InitialValue& value : v.initial) {
            write_value(v, value, variables, names, to, diagnostics);
            to += size;
        }
    }
}

} // namespace

Variables load(std::string name, std::string ptx, exec::MemoryImage& image, ir::Program& program) {
    auto source = std::make_shared<const SourceText>(std::move(name), std::move(ptx));
    std::optional<Diagnostics> of_source(source);
    ptx::Module module = ptx::parse(source, *of_source);
    of_source->throw_if_failed();
    if (needs_heap(module)) {
        source = std::make_shared<const SourceText>(source->name(), std::string(source->text()) += heap_functions());
        module = ptx::parse(source, of_source.emplace(source));
        of_source->throw_if_failed();
    }
    Diagnostics& diagnostics = *of_source;
    Variables variables = place(module, image, diagnostics);
    diagnostics.throw_if_failed();
    initialise(module, variables, image, diagnostics);
    ir::lower(
        module,
        [&](std::string_view variable) {
            const auto at = variables.find(variable);
            return at == variables.end() ? Address{0} : at->second.address;
        },
        program, diagnostics);
    diagnostics.throw_if_failed();
    return variables;
}

} // namespace heddle::runtime

#include "runtime/native_code.h"

#include <fmt/format.h>

#include "exec/bound_program.h"
#include "native/execute/expand.h"
#include "runtime/module.h"

namespace heddle::runtime {

namespace {

std::string unknown_target(const std::string& name) {
    std::string known;
    for (const native::Target& t : native::targets())
        known.append(known.empty() ? "" : ", ").append(t.name);
    return fmt::format("there is no native code for {}, only for {}", name, known);
}

const native::Target& target_named(const std::string& name, const std::string& setting) {
    if (const native::Target* found = native::find_target(name))
        return *found;
    throw UserError(setting + ": " + unknown_target(name));
}

std::string name_of(std::uint64_t compute_capability) {
    return fmt::format("sm_{}", compute_capability);
}

} // namespace

std::string native_code(const std::string& file, std::string ptx, const std::string& entry, const std::string& target,
                        const native::Settings& settings) {
    constexpr std::uint64_t kVariables = std::uint64_t{1} << 32; // room for the variables of the text
    const native::Target& machine = target_named(target, "--arch");
    exec::MemoryImage image(kVariables);
    exec::TextureTable textures;
    ir::Program program;
    static_cast<void>(load({{file, std::move(ptx)}}, image, textures, program));
    exec::BoundProgram bound;
    bound.bind(program);
    std::string out;
    bool found = false;
    for (const ir::Kernel& kernel : program.kernels) {
        if (!entry.empty() && kernel.name != entry)
            continue;
        found = true;
        if (const std::string reason = bound.unsupported(kernel); !reason.empty())
            throw UserError(reason);
        const native::Function function = native::compile(program, kernel, machine, settings);
        out.append(out.empty() ? "" : "\n").append(native::listing(program, function, machine));
    }
    if (!found)
        throw UserError(entry.empty() ? fmt::format("{}: there is no kernel", file)
                                      : fmt::format("{}: there is no kernel '{}'", file, entry));
    return out;
}

std::string native_problem(std::uint64_t compute_capability) {
    const std::string name = name_of(compute_capability);
    return native::find_target(name) != nullptr
               ? std::string()
               : fmt::format("device.compute_capability = {}: {}", compute_capability, unknown_target(name));
}

void make_native(ir::Program& program, ir::Kernel& kernel, std::uint64_t compute_capability,
                 const native::Settings& settings) {
    const native::Target& machine = target_named(name_of(compute_capability), "device.compute_capability");
    try {
        const native::Function function = native::compile(program, kernel, machine, settings);
        native::expand(function, machine, program, kernel);
    } catch (const UserError& e) {
        throw UserError(
            fmt::format("{}\n  its micro-ops run on the machine with -s core.code=ptx -s core.formation=pdom "
                        "-s core.dependences=scoreboard",
                        e.what()));
    }
}

std::uint32_t registers_of_code(const ir::Program& program, const ir::Kernel& kernel) {
    try {
        return native::compile(program, kernel, native::targets().front(), {}).registers;
    } catch (const UserError&) {
        return 0;
    }
}

std::span<const config::Parameter<NativeConfig>> NativeConfig::parameters() {
    static const config::Parameter<NativeConfig> table[] = {
        {"inline_limit", &NativeConfig::inline_limit, "micro-ops", "0..1048576",
         "the code of a function takes the place of each call where that makes no more than these of a kernel; in a "
         "larger kernel, a function with several calls stays one",
         "assumed"},
    };
    return table;
}

} // namespace heddle::runtime

HEDDLE_CONFIG_SECTION(heddle::runtime::NativeConfig, "native code (core.code = \"native\")")

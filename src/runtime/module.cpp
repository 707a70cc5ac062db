#include "runtime/module.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "base/round_up.h"
#include "ir/isa/names.h"
#include "ir/lower.h"
#include "ptx/parser.h"
#include "runtime/device_code/functions.h"
#include "runtime/device_code/text.h"
#include "runtime/opaque_variables.h"

namespace heddle::runtime {
namespace {

bool lies_in_memory(const ptx::Variable& v) {
    return v.space == ptx::Space::Global || v.space == ptx::Space::Const;
}

// Of a module's variables (CUDA C++ Programming Guide, compute capabilities).
constexpr std::uint64_t kConstantBytes = 0x10000;

// A table of the device headers' mathematics, of heddle (include/heddle-cuda) or of nvcc, of which a program does not
// know.
bool is_of_headers(const ptx::Variable& v) {
    return v.name.find("11heddle_math") != std::string_view::npos || v.name.starts_with("__cudart_");
}

// The texts of a module, parsed, with heddle's own device code that they need.
class Units {
public:
    explicit Units(std::vector<PtxText> texts);

    [[nodiscard]] std::span<const ptx::Module> modules() const {
        return modules_;
    }
    std::vector<Diagnostics>& diagnostics() { // by module
        return diagnostics_;
    }
    // Whether a text declares what another one has to define.
    [[nodiscard]] bool need_others() const;
    // A module of one text is a whole program.
    [[nodiscard]] bool is_alone() const {
        return is_alone_;
    }
    // All of them; empty: there is none.
    [[nodiscard]] std::string errors() const;

private:
    void parse(PtxText text);
    void parse_program(PtxText text);

    std::vector<ptx::Module> modules_;
    std::vector<Diagnostics> diagnostics_;
    bool is_alone_;
};

// Loads the texts of a module: links and lowers them.
class Loader {
public:
    Loader(Units& units, exec::MemoryImage& image, exec::TextureTable& textures, ir::Program& program)
        : image_(image), textures_(textures), program_(program), units_(units) {}

    Variables load();
    [[nodiscard]] std::uint64_t constant_bytes() const {
        return constant_bytes_;
    }

private:
    // The symbol of a name in an initialiser.
    using Find = std::function<ir::Symbol(std::string_view)>;

    void place(const ptx::Variable& v, Diagnostics& diagnostics);
    void count_constant(const ptx::Variable& v, Diagnostics& diagnostics);
    void initialise(const ptx::Variable& v, const Find& find, Diagnostics& diagnostics);
    void write_value(const ptx::Variable& v, const ptx::InitialValue& value, const Find& find, std::byte* to,
                     Diagnostics& diagnostics) const;
    [[nodiscard]] Address address_of(const ptx::Variable& v) const {
        const auto at = addresses_.find(&v);
        return at == addresses_.end() ? Address{0} : at->second;
    }
    template <class Visit> // Calls visit(variable, names of its unit, diagnostics of its unit) for variables in memory.
    void each_variable(const ir::ModuleNames& names, Visit visit);
    // The variables in memory that functions declare: each is one variable for all threads, as those of the module.
    void place_locals();
    void initialise_locals(const ir::ModuleNames& names);
    void throw_if_failed() const;

    exec::MemoryImage& image_;
    exec::TextureTable& textures_;
    ir::Program& program_;
    Units& units_;
    std::unordered_map<const ptx::Variable*, Address> addresses_;
    std::uint64_t constant_bytes_ = 0;     // of the variables in constant memory so far
    std::uint64_t own_constant_bytes_ = 0; // of them without the headers' tables, which nvcc has in its code
};

Units::Units(std::vector<PtxText> texts) : is_alone_(texts.size() == 1) {
    for (PtxText& text : texts)
        parse_program(std::move(text));
    if (needs(modules_, is_launch_function))
        parse({"launches.ptx", std::string(launch_functions())});
    if (needs(modules_, is_condition_function))
        parse({"conditions.ptx", std::string(condition_functions())});
    if (needs(modules_, is_heap_function))
        parse({"heap.ptx", std::string(heap_functions())});
}

void Units::parse(PtxText text) {
    const auto source = std::make_shared<const SourceText>(std::move(text.name), std::move(text.ptx));
    modules_.push_back(ptx::parse(source, diagnostics_.emplace_back(source)));
}

// nvcc links CUDA's runtime for device code into programs that launch kernels or set conditions of graphs. It stands on
// a scheduler that is not documented, so that heddle's takes its place.
void Units::parse_program(PtxText text) {
    parse(std::move(text));
    std::erase_if(modules_.back().functions, [](const ptx::Function& f) {
        return f.has_body && (is_launch_function(f.name) || is_condition_function(f.name));
    });
}

bool Units::need_others() const {
    return std::any_of(modules_.begin(), modules_.end(), [](const ptx::Module& module) {
        const auto is_extern = [](const auto& declared) { return declared.is_extern; };
        return std::any_of(module.functions.begin(), module.functions.end(), is_extern) ||
               std::any_of(module.variables.begin(), module.variables.end(), is_extern);
    });
}

std::string Units::errors() const {
    std::string text;
    for (const Diagnostics& each : diagnostics_)
        text += each.render();
    return text;
}

void Loader::throw_if_failed() const {
    if (const std::string text = units_.errors(); !text.empty())
        throw UserError(text);
}

template <class Visit>
void Loader::each_variable(const ir::ModuleNames& names, Visit visit) {
    for (std::size_t u = 0; u < units_.modules().size(); ++u)
        for (const ptx::Variable& v : units_.modules()[u].variables)
            if (lies_in_memory(v))
                visit(v, names.units()[u], units_.diagnostics()[u]);
}

void Loader::place_locals() {
    for (std::size_t u = 0; u < units_.modules().size(); ++u)
        for (const ptx::Function& function : units_.modules()[u].functions)
            for (const ptx::Local& local : function.locals)
                if (lies_in_memory(local.variable))
                    place(local.variable, units_.diagnostics()[u]);
}

void Loader::initialise_locals(const ir::ModuleNames& names) {
    for (std::size_t u = 0; u < units_.modules().size(); ++u)
        for (const ptx::Function& function : units_.modules()[u].functions) {
            const ir::Names scope(names.units()[u], function);
            for (std::uint32_t i = 0; i < function.locals.size(); ++i)
                if (lies_in_memory(function.locals[i].variable))
                    initialise(
                        function.locals[i].variable, [&](std::string_view name) { return scope.find_before(name, i); },
                        units_.diagnostics()[u]);
        }
}

void Loader::place(const ptx::Variable& v, Diagnostics& diagnostics) {
    if (ptx::is_opaque(v.type)) {
        addresses_.emplace(&v, textures_.add(opaque_object(v, diagnostics)));
        return;
    }
    const std::uint64_t bytes = std::max<std::uint64_t>(v.bytes(), 1);
    const Address address = v.is_managed
                                ? image_.allocate_shared(bytes, std::string(v.name))
                                : image_.allocate(bytes, std::string(v.name), v.space == ptx::Space::Const,
                                                  std::max<std::uint64_t>(v.alignment(), exec::MemoryImage::kGranule));
    image_.set_owner(address, is_of_headers(v) ? exec::Owner::Headers : exec::Owner::Context);
    if (address == 0)
        diagnostics.error(
            v.where, fmt::format("'{}' of {} bytes does not fit into the device's memory (device.memory){}", v.name,
                                 v.bytes(), v.is_managed ? ", or the program has something else at its address" : ""));
    addresses_.emplace(&v, address);
    if (v.space == ptx::Space::Const)
        count_constant(v, diagnostics);
}

void Loader::count_constant(const ptx::Variable& v, Diagnostics& diagnostics) {
    const auto add = [&v](std::uint64_t& bytes) {
        const std::uint64_t alignment = std::max<std::uint64_t>(v.alignment(), 1);
        bytes = round_up(bytes, alignment) + v.bytes();
    };
    add(constant_bytes_);
    if (is_of_headers(v))
        return;
    add(own_constant_bytes_);
    if (own_constant_bytes_ > kConstantBytes)
        diagnostics.error(v.where, fmt::format("with '{}' the module's variables in constant memory have {} bytes; a "
                                               "module has {} at most",
                                               v.name, own_constant_bytes_, kConstantBytes));
}

void Loader::write_value(const ptx::Variable& v, const ptx::InitialValue& value, const Find& find, std::byte* to,
                         Diagnostics& diagnostics) const {
    using Kind = ptx::InitialValue::Kind;
    const unsigned size = ptx::size_of(v.type);
    std::uint64_t bits = value.bits;
    if (value.kind == Kind::Symbol) {
        const ir::Symbol symbol = find(value.symbol);
        const bool is_function = symbol.kind == ir::Symbol::Kind::Function;
        const Address variable = symbol.kind == ir::Symbol::Kind::Variable ? address_of(*symbol.variable) : 0;
        if (variable == 0 && !is_function) {
            diagnostics.error(
                value.where, fmt::format("'{}' is no variable or function of this module: only those have addresses an "
                                         "initialiser can hold",
                                         value.symbol));
            return;
        }
        bits = (is_function ? ir::code_address(symbol.index) : variable) + static_cast<std::uint64_t>(value.offset);
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

void Loader::initialise(const ptx::Variable& v, const Find& find, Diagnostics& diagnostics) {
    const unsigned size = ptx::size_of(v.type);
    if (v.initial.size() * size > v.bytes()) {
        diagnostics.error(v.where, fmt::format("the initialiser of '{}' has {} values, but the variable holds {}",
                                               v.name, v.initial.size(), v.bytes() / size));
        return;
    }
    std::byte* to = v.initial.empty() ? nullptr : image_.host(addresses_.at(&v));
    for (const ptx::InitialValue& value : v.initial) {
        write_value(v, value, find, to, diagnostics);
        to += size;
    }
}

Variables Loader::load() {
    throw_if_failed();
    const ir::ModuleNames names(units_.modules());
    Variables variables;
    each_variable(names, [&](const ptx::Variable& v, const ir::UnitNames& unit, Diagnostics& diagnostics) {
        const ptx::Variable* const definition = unit.variable(v.name);
        const bool ignores_extern = units_.is_alone() && v.bytes() != 0; // ptxas ignores the qualifier in this case
        if (definition->is_extern && !ignores_extern)
            diagnostics.error(v.where, fmt::format("external variable '{}' is defined nowhere in the module: what "
                                                   "defines it has to be linked along (-rdc=true)",
                                                   v.name));
        else if (definition == &v) // neither a declaration nor one of several weak definitions
            place(v, diagnostics);
    });
    place_locals();
    throw_if_failed();
    each_variable(names, [&](const ptx::Variable& v, const ir::UnitNames& unit, Diagnostics& diagnostics) {
        if (unit.variable(v.name) != &v)
            return;
        variables.emplace(v.name, Variable{address_of(v), v.bytes(), exec::kind_of(v.type)});
        initialise(
            v, [&](std::string_view name) { return unit.find(name); }, diagnostics);
    });
    initialise_locals(names);
    ir::lower(
        names, [&](const ptx::Variable& v) { return address_of(v); }, program_, units_.diagnostics());
    throw_if_failed();
    return variables;
}

// 75 of "sm_75", 90 of "sm_90a".
std::uint32_t number_of(std::string_view target) {
    std::uint32_t number = 0;
    for (const char c : target)
        if (c >= '0' && c <= '9')
            number = 10 * number + static_cast<std::uint32_t>(c - '0');
    return number;
}

} // namespace

LoadedModule load(std::vector<PtxText> texts, exec::MemoryImage& image, exec::TextureTable& textures,
                  ir::Program& program) {
    Units units(std::move(texts));
    const std::uint32_t target = units.modules().empty() ? 0 : number_of(units.modules().front().target);
    Loader loader(units, image, textures, program);
    Variables variables = loader.load();
    return {std::move(variables), target, loader.constant_bytes()};
}

bool is_too_new(const PtxText& text) {
    return ptx::is_of_newer_version(text.ptx);
}

std::string errors_of(std::vector<PtxText> texts, bool are_all) {
    Units units(std::move(texts));
    if (!units.errors().empty() || (!are_all && units.need_others()))
        return units.errors();
    ir::Program program;
    ir::lower(
        ir::ModuleNames(units.modules()), [](const ptx::Variable&) { return exec::kGlobalBase; }, program,
        units.diagnostics());
    std::string errors = units.errors();
    std::set<std::string_view> missing; // once, however many kernels call it
    for (const ir::Kernel& kernel : program.kernels)
        for (const auto& [pc, function] : kernel.undefined_calls)
            if (missing.insert(function).second)
                errors += fmt::format("{}: error: '{}' is called but has no body\n", program.describe(pc), function);
    return errors;
}

} // namespace heddle::runtime

#include "runtime/profile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

namespace heddle::runtime {

namespace fs = std::filesystem;

namespace {

// Larger texts are left out: the results hold every text.
constexpr std::uintmax_t kMostBytes = 4 << 20;

// Where a source lies: a relative name counts from the working folder or from a folder above the program. The workloads
// name their sources as the tree does in which they were built.
fs::path find_source(const std::string& name) {
    std::error_code error;
    fs::path program = fs::read_symlink("/proc/self/exe", error);
    fs::path file = name;
    while (!fs::is_regular_file(file, error) && program.has_relative_path()) {
        program = program.parent_path();
        file = program / name;
    }
    return file;
}

std::optional<std::string> read_source(const std::string& name) {
    std::error_code error;
    const fs::path path = find_source(name);
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostBytes)
        return {};
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return {};
    return std::string(std::istreambuf_iterator<char>(file), {});
}

// The files of a profile, each once.
class Files {
public:
    Files(const ir::Program& program, std::vector<report::ProfiledFile>& files) : program_(program), files_(files) {}

    // The text of a unit.
    std::uint32_t ptx(std::uint32_t unit) {
        const auto [at, is_new] = units_.try_emplace(unit, static_cast<std::uint32_t>(files_.size()));
        if (is_new) {
            const SourceText& source = *program_.units[unit].source;
            const std::string_view text = source.text();
            files_.push_back({std::string(source.name()),
                              text.size() > kMostBytes ? std::nullopt : std::optional(std::string(text))});
        }
        return at->second;
    }
    // File number `file` - 1 of a unit.
    std::uint32_t source(std::uint32_t unit, std::uint32_t file) {
        const std::string& name = program_.units[unit].files.at(file - 1);
        const auto [at, is_new] = sources_.try_emplace(name, static_cast<std::uint32_t>(files_.size()));
        if (is_new)
            files_.push_back({name, read_source(name)});
        return at->second;
    }

private:
    const ir::Program& program_;
    std::vector<report::ProfiledFile>& files_;
    std::map<std::uint32_t, std::uint32_t> units_;
    std::map<std::string, std::uint32_t> sources_;
};

// The instruction's source line and the calls of inlined functions that it stands in.
void add_lines(report::ProfiledInstruction& to, const ir::Origin& origin, const ir::Program& program, Files& files) {
    if (origin.source_file == 0)
        return;
    to.lines.push_back({files.source(origin.unit, origin.source_file), origin.source_line});
    for (std::uint32_t call = origin.call; call != 0;) {
        const ir::InlinedCall& inlined = program.units[origin.unit].calls[call - 1];
        if (inlined.file == 0)
            return;
        to.inlined.push_back(inlined.function);
        to.lines.push_back({files.source(origin.unit, inlined.file), inlined.line});
        call = inlined.call;
    }
}

bool has_counts(const probe::SmProfile::Instruction& counted) {
    const auto is_set = [](std::uint64_t n) { return n != 0; };
    return std::any_of(counted.counters.begin(), counted.counters.end(), is_set) ||
           std::any_of(counted.stalls.begin(), counted.stalls.end(), [](const auto& s) { return s.slots != 0; });
}

// The stalls of an instruction, the largest first. `numbers`: of the kernel's instructions, by PC.
std::vector<report::ProfiledStall> stalls_of(const probe::SmProfile::Instruction& counted,
                                             const std::map<Pc, std::size_t>& numbers) {
    std::vector<probe::Stall> stalls = counted.stalls;
    std::sort(stalls.begin(), stalls.end(), [](const probe::Stall& a, const probe::Stall& b) {
        return std::tuple(b.slots, a.cause, a.producer) < std::tuple(a.slots, b.cause, b.producer);
    });
    std::vector<report::ProfiledStall> out;
    for (const probe::Stall& stall : stalls) {
        if (stall.slots == 0)
            break;
        const auto producer = numbers.find(stall.producer);
        out.push_back({std::string(probe::kSlots[static_cast<std::size_t>(stall.cause)].name),
                       producer == numbers.end() ? std::nullopt : std::optional(producer->second), stall.slots});
    }
    return out;
}

report::ProfiledKernel profiled(const probe::SmProfile& counts, const ir::Program& program, std::size_t number,
                                Files& files) {
    const ir::Kernel& kernel = program.kernels[number];
    report::ProfiledKernel out{.name = kernel.name, .launches = 0, .timed = false, .instructions = {}, .elsewhere = {}};
    std::map<Pc, std::size_t> numbers;
    counts.for_each(kernel.begin, kernel.end, [&](Pc pc, const probe::SmProfile::Instruction& counted) {
        if (has_counts(counted))
            numbers.emplace(pc, numbers.size());
    });
    counts.for_each(kernel.begin, kernel.end, [&](Pc pc, const probe::SmProfile::Instruction& counted) {
        if (!numbers.contains(pc))
            return;
        const ir::Origin& origin = program.origins.at(pc);
        report::ProfiledInstruction instruction;
        instruction.pc = pc;
        instruction.text = program.instruction(pc);
        instruction.function = program.functions.at(origin.function).name;
        instruction.ptx = {files.ptx(origin.unit), origin.where.line};
        add_lines(instruction, origin, program, files);
        instruction.counters = counted.counters;
        instruction.stalls = stalls_of(counted, numbers);
        out.instructions.push_back(std::move(instruction));
    });
    const probe::SlotCounts elsewhere = counts.elsewhere(number);
    for (std::size_t cause = 0; cause < probe::kSlots.size(); ++cause)
        if (elsewhere[cause] != 0)
            out.elsewhere.emplace_back(probe::kSlots[cause].name, elsewhere[cause]);
    return out;
}

} // namespace

report::Profile profile_of(const probe::SmProfile& counts, const ir::Program& program,
                           std::span<const std::size_t> launched, std::span<const report::KernelResult> launches,
                           unsigned width, unsigned line_bytes) {
    report::Profile out{.width = width, .line_bytes = line_bytes, .files = {}, .kernels = {}};
    Files files(program, out.files);
    std::map<std::size_t, std::size_t> kernels; // in `out`, by number in the program
    for (std::size_t launch = 0; launch < launched.size(); ++launch) {
        const auto [at, is_new] = kernels.try_emplace(launched[launch], out.kernels.size());
        if (is_new)
            out.kernels.push_back(profiled(counts, program, launched[launch], files));
        report::ProfiledKernel& kernel = out.kernels[at->second];
        ++kernel.launches;
        kernel.timed |= launches[launch].timed;
    }
    return out;
}

} // namespace heddle::runtime

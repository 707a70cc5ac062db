#include "sm/sub_core/sub_core.h"

#include <algorithm>

namespace heddle::sm {

std::span<const stats::Statistic<PipeStats>> PipeStats::statistics() {
    static const stats::Statistic<PipeStats> table[] = {
        {"busy", &PipeStats::busy, "cycles",
         "cycles that instructions took of a pipe's units (their intervals), by the pipes' names in alphabetical "
         "order"},
    };
    return table;
}

SubCores::SubCores(const config::Machine& machine, const PipeTable& pipes, const formation::Formation::Needs& needs)
    : pipes_(pipes.count()), sub_cores_(machine.get<SubCoreConfig>().schedulers), opens_(sub_cores_.size()),
      held_(sub_cores_.size(), 0) {
    auto config = machine.get<SubCoreConfig>();
    config.collect += needs.extra_stages;
    const std::size_t files = config.register_file == "own" ? sub_cores_.size() : 1;
    registers_.reserve(files);
    const Cycle window = machine.get<SubCoreStagesConfig>().read_stages;
    for (std::size_t f = 0; f < files; ++f)
        registers_.emplace_back(config, pipes, needs.register_cycles, window);
    if (const auto ports = machine.get<RegisterFileConfig>(); ports.banks != 0)
        for (RegisterFile& file : registers_)
            file.read_through(std::make_unique<ReadPorts>(ports, window, config.dispatch));
    instances_.reserve(sub_cores_.size() * pipes_);
    for (unsigned p = 0; p < pipes_; ++p) {
        const PipeTable::Spec& spec = pipes.specs()[p];
        place_[p] =
            static_cast<std::uint8_t>(std::count_if(pipes.specs().begin(), pipes.specs().end(), [&](const auto& other) {
                return other.members == 0 && other.name < spec.name;
            }));
        shared_ |= static_cast<unsigned>(spec.shared) << p;
        members_[p] = spec.members;
        if (spec.members != 0) {
            unions_ |= 1U << p;
            continue;
        }
        fixed_ |= static_cast<unsigned>(!spec.shared && spec.kind != PipeKind::Sfu) << p;
        for (std::size_t s = 0; s < sub_cores_.size(); ++s) {
            if (s == 0 || !spec.shared)
                instances_.emplace_back(spec.width, spec.collectors);
            sub_cores_[s].pipes[p] = &instances_.back();
        }
    }
    for (std::size_t s = 0; s < sub_cores_.size(); ++s)
        sub_cores_[s].registers = &registers_[s % files];
}

unsigned SubCores::member_for(unsigned sub_core, const Decoded& op, Cycle now) const {
    const SubCore& s = sub_cores_[sub_core];
    unsigned best = op.pipe;
    Cycle first = kNever;
    for (unsigned p = 0; p < pipes_; ++p) {
        if ((members_[op.pipe] >> p & 1) == 0 || opens_[sub_core][p] > now)
            continue;
        if (const Cycle start = s.pipes[p]->first_free(s.registers->begins(now), op.interval).first; start < first) {
            best = p;
            first = start;
        }
    }
    return best;
}

void SubCores::open_unions(unsigned sub_core) {
    IssueUnit::OpenTimes& opens = opens_[sub_core];
    for (unsigned u = 0; u < pipes_; ++u) {
        if ((unions_ >> u & 1) == 0)
            continue;
        unsigned first = u;
        opens[u] = kNever;
        for (unsigned p = 0; p < pipes_; ++p)
            if ((members_[u] >> p & 1) != 0 && opens[p] < opens[u]) {
                first = p;
                opens[u] = opens[p];
            }
        const unsigned held = held_[sub_core];
        held_[sub_core] = static_cast<std::uint8_t>((held & ~(1U << u)) | (held >> first & 1) << u);
    }
}

void SubCores::hold_fixed(unsigned sub_core, Cycle at) {
    IssueUnit::OpenTimes& opens = opens_[sub_core];
    unsigned held = 0;
    for (unsigned p = 0; p < pipes_; ++p) {
        if ((fixed_ >> p & 1) == 0 || opens[p] >= at)
            continue;
        opens[p] = at;
        held |= 1U << p;
    }
    held_[sub_core] = static_cast<std::uint8_t>(held);
}

void SubCores::add_statistics(stats::Tree& tree) const {
    tree.add_one_of("pipes", stats_);
    for (const RegisterFile& file : registers_)
        if (file.ports() != nullptr)
            tree.add_one_of("register_file", file.ports()->stats());
}

} // namespace heddle::sm

HEDDLE_STATISTICS(heddle::sm::PipeStats, "pipes", "pipes of the cores with a scoreboard: how busy their units were")

#include "report/profile/rows.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/source.h"
#include "base/suggest.h"
#include "report/kernels.h"
#include "report/profile/frames.h"

namespace heddle::report {

namespace {

// What makes two instructions of one row; a kernel's index and an instruction's where they matter.
struct Key {
    std::size_t kernel = 0, instruction = 0;
    std::vector<SourceLine> lines;
    std::string function;
    auto operator<=>(const Key&) const = default;
};

class Rows {
public:
    Rows(const Profile& profile, RowsBy by) : profile_(profile), names_(short_file_names(profile)) {
        out_.by = by;
    }

    ProfileRows take() {
        for (std::size_t k = 0; k < profile_.kernels.size(); ++k)
            add(k);
        for (ProfileRow& row : out_.rows)
            std::stable_sort(row.stalls.begin(), row.stalls.end(),
                             [](const RowStall& a, const RowStall& b) { return a.slots > b.slots; });
        return std::move(out_);
    }

    // Makes the rows of all instructions, lines in the order of their files.
    void name_rows() {
        for (std::size_t k = 0; k < profile_.kernels.size(); ++k)
            for (std::size_t i = 0; i < profile_.kernels[k].instructions.size(); ++i)
                add_keys(k, i);
        if (out_.by == RowsBy::Line || out_.by == RowsBy::Path) {
            std::size_t next = 0;
            std::vector<ProfileRow> ordered;
            for (auto& [key, row] : rows_) {
                ordered.push_back(std::move(out_.rows[row]));
                row = next++;
            }
            out_.rows = std::move(ordered);
        }
    }

private:
    Key key_of(std::size_t k, std::size_t i) const {
        const ProfiledInstruction& instruction = profile_.kernels[k].instructions[i];
        switch (out_.by) {
        case RowsBy::Line:
            return {0, 0, {line_of(instruction)}, ""};
        case RowsBy::Path:
            return {0, 0, instruction.lines.empty() ? std::vector{instruction.ptx} : instruction.lines, ""};
        case RowsBy::Function:
            return {0, 0, {}, frames_of(names_, instruction).back().function};
        case RowsBy::Instruction:
            return {k, i, {}, ""};
        case RowsBy::Kernel:
            return {k, 0, {}, ""};
        }
        return {};
    }

    // Of a path of inlined calls every function has a row, also one that has no instruction of its own.
    void add_keys(std::size_t k, std::size_t i) {
        if (out_.by != RowsBy::Function)
            return add_key(key_of(k, i), k, i);
        for (const Frame& frame : frames_of(names_, profile_.kernels[k].instructions[i]))
            add_key({0, 0, {}, frame.function}, k, i);
    }

    void add_key(const Key& key, std::size_t k, std::size_t i) {
        if (!rows_.emplace(key, out_.rows.size()).second)
            return;
        out_.rows.emplace_back();
        out_.rows.back().kernel = &profile_.kernels[k];
        out_.rows.back().instruction = &profile_.kernels[k].instructions[i];
        out_.rows.back().function = key.function;
    }

    void add(std::size_t k) {
        const ProfiledKernel& kernel = profile_.kernels[k];
        out_.timed = out_.timed || kernel.timed;
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < kernel.instructions.size(); ++i)
            rows.push_back(rows_.at(key_of(k, i)));
        for (std::size_t i = 0; i < kernel.instructions.size(); ++i)
            add(kernel.instructions[i], rows[i], rows);
        for (const auto& [cause, slots] : kernel.elsewhere) {
            const auto same = std::find_if(out_.elsewhere.begin(), out_.elsewhere.end(),
                                           [&, &name = cause](const auto& known) { return known.first == name; });
            if (same == out_.elsewhere.end())
                out_.elsewhere.emplace_back(cause, slots);
            else
                same->second += slots;
            out_.slots += slots;
        }
    }

    void add(const ProfiledInstruction& instruction, std::size_t at, const std::vector<std::size_t>& rows) {
        ProfileRow& row = out_.rows[at];
        for (std::size_t c = 0; c < probe::kCounters; ++c)
            row.counters[c] += instruction.counters[c];
        std::uint64_t slots = instruction.counters[static_cast<std::size_t>(probe::Counter::Executions)];
        for (const ProfiledStall& stall : instruction.stalls) {
            const auto producer = stall.producer ? std::optional(rows[*stall.producer]) : std::nullopt;
            add(row, {stall.cause, producer, stall.slots});
            if (producer)
                out_.rows[*producer].waited_for += stall.slots;
            slots += stall.slots;
        }
        out_.slots += slots;
        if (out_.by == RowsBy::Function)
            add_with_inlined(instruction, slots);
    }

    static void add(ProfileRow& row, const RowStall& stall) {
        row.stalled += stall.slots;
        const auto same = std::find_if(row.stalls.begin(), row.stalls.end(), [&](const RowStall& known) {
            return known.cause == stall.cause && known.producer == stall.producer;
        });
        if (same == row.stalls.end())
            row.stalls.push_back(stall);
        else
            same->slots += stall.slots;
    }

    // Each function of the path counts the slots once, also where it was inlined in itself.
    void add_with_inlined(const ProfiledInstruction& instruction, std::uint64_t slots) {
        std::set<std::size_t> counted;
        for (const Frame& frame : frames_of(names_, instruction))
            if (const std::size_t row = rows_.at({0, 0, {}, frame.function}); counted.insert(row).second)
                out_.rows[row].with_inlined += slots;
    }

    const Profile& profile_;
    std::vector<std::string> names_;
    std::map<Key, std::size_t> rows_;
    ProfileRows out_;
};

} // namespace

std::vector<std::pair<std::string, std::uint64_t>> ProfileRow::causes() const {
    std::vector<std::pair<std::string, std::uint64_t>> out;
    for (const RowStall& stall : stalls) {
        const auto same = std::find_if(out.begin(), out.end(), [&](const auto& c) { return c.first == stall.cause; });
        if (same == out.end())
            out.emplace_back(stall.cause, stall.slots);
        else
            same->second += stall.slots;
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return out;
}

std::vector<std::size_t> ProfileRows::costliest() const {
    std::vector<std::size_t> out(rows.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    std::stable_sort(out.begin(), out.end(),
                     [&](std::size_t a, std::size_t b) { return rows[a].slots() > rows[b].slots(); });
    return out;
}

ProfileRows rows_of(const Profile& profile, RowsBy by) {
    Rows rows(profile, by);
    rows.name_rows();
    return rows.take();
}

Profile only_kernels(Profile profile, const std::string& name) {
    std::vector<std::string> known;
    bool whole = false, part = false;
    for (const ProfiledKernel& kernel : profile.kernels) {
        known.push_back(readable_name(kernel.name));
        whole = whole || kernel.name == name || known.back() == name;
        part = part || known.back().find(name) != std::string::npos;
    }
    if (!whole && !part)
        throw UserError(fmt::format("no kernel '{}' in the profile; it has {}{}", name, comma_list(known),
                                    did_you_mean(name, known)));
    std::erase_if(profile.kernels, [&](const ProfiledKernel& kernel) {
        const std::string readable = readable_name(kernel.name);
        return whole ? kernel.name != name && readable != name : readable.find(name) == std::string::npos;
    });
    return profile;
}

} // namespace heddle::report

// The format: "Callgrind Format Specification" of Valgrind's manual, version 1.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "report/kernels.h"
#include "report/profile/causes.h"
#include "report/profile/exports.h"
#include "report/profile/frames.h"
#include "report/result.h"

namespace heddle::report {

namespace {

using Events = std::vector<std::uint64_t>; // Slots, Executions, Threads, then the causes

void add(Events& to, const Events& from) {
    to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] += from[i];
}

// "(3) name" where a name is used first, "(3)" later.
class Ids {
public:
    std::string operator()(const std::string& name) {
        const auto [at, first] = ids_.emplace(name, ids_.size() + 1);
        return first ? fmt::format("({}) {}", at->second, name) : fmt::format("({})", at->second);
    }

private:
    std::map<std::string, std::size_t> ids_;
};

struct FunctionKey {
    std::string file, name;
    auto operator<=>(const FunctionKey&) const = default;
};

struct CallKey {
    std::uint32_t line = 0; // of the call
    FunctionKey callee;
    auto operator<=>(const CallKey&) const = default;
};

struct Call {
    std::uint64_t count = 0;              // executions of its first instruction
    std::uint32_t pc = 0, first_line = 0; // of that instruction
    Events inclusive;
};

struct Function {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Events> own; // by PC and line
    std::map<CallKey, Call> calls;
};

using Functions = std::map<FunctionKey, Function>;

class Writer {
public:
    explicit Writer(const Profile& profile) : profile_(profile), names_(short_file_names(profile)) {
        std::set<std::string> present;
        for (const ProfiledKernel& kernel : profile.kernels) {
            for (const auto& [cause, slots] : kernel.elsewhere)
                present.insert(cause);
            for (const ProfiledInstruction& instruction : kernel.instructions)
                for (const ProfiledStall& stall : instruction.stalls)
                    present.insert(stall.cause);
        }
        causes_.assign(present.begin(), present.end());
    }

    std::string take() {
        Events sum(3 + causes_.size());
        std::string body;
        for (const ProfiledKernel& kernel : profile_.kernels)
            body += kernel_text(kernel, sum);
        std::string out =
            fmt::format("# callgrind format\nversion: 1\ncreator: heddle {}\npositions: instr line\n", version());
        for (const std::string& cause : causes_)
            out += fmt::format("event: {} : {}\n", cause, cause_words(cause));
        out +=
            fmt::format("events: Slots Executions Threads{}{}\n", causes_.empty() ? "" : " ", fmt::join(causes_, " "));
        return out + fmt::format("summary: {}\n\n", fmt::join(sum, " ")) + body;
    }

private:
    std::size_t event_of(const std::string& cause) const {
        return 3 + static_cast<std::size_t>(std::lower_bound(causes_.begin(), causes_.end(), cause) - causes_.begin());
    }

    Events events_of(const ProfiledInstruction& instruction) const {
        Events out(3 + causes_.size());
        out[1] = instruction.counters[static_cast<std::size_t>(probe::Counter::Executions)];
        out[2] = instruction.counters[static_cast<std::size_t>(probe::Counter::Threads)];
        out[0] = out[1];
        for (const ProfiledStall& stall : instruction.stalls) {
            out[event_of(stall.cause)] += stall.slots;
            out[0] += stall.slots;
        }
        return out;
    }

    FunctionKey key_of(const Frame& frame) const {
        return {profile_.files[frame.line.file].name, frame.function};
    }

    void add_instruction(Functions& functions, const ProfiledInstruction& instruction, const Events& events) const {
        const std::vector<Frame> frames = frames_of(names_, instruction);
        const SourceLine line = line_of(instruction);
        add(functions[key_of(frames.back())].own[{instruction.pc, line.line}], events);
        for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
            auto& calls = functions[key_of(frames[i])].calls;
            const Call entered{events[1], instruction.pc, frames[i + 1].line.line, {}};
            add(calls.try_emplace({frames[i].line.line, key_of(frames[i + 1])}, entered).first->second.inclusive,
                events);
        }
    }

    std::string kernel_text(const ProfiledKernel& kernel, Events& sum) {
        Functions functions;
        for (const ProfiledInstruction& instruction : kernel.instructions) {
            const Events events = events_of(instruction);
            add_instruction(functions, instruction, events);
            add(sum, events);
        }
        Events rest(3 + causes_.size());
        for (const auto& [cause, slots] : kernel.elsewhere) {
            rest[event_of(cause)] += slots;
            rest[0] += slots;
        }
        add(sum, rest);
        if (rest[0] != 0)
            functions[{"???", "(no instruction)"}].own[{0, 0}] = rest;

        std::string out = fmt::format("ob={}\n", objects_(readable_name(kernel.name)));
        for (const auto& [key, function] : functions)
            out += function_text(key, function);
        return out;
    }

    std::string function_text(const FunctionKey& key, const Function& function) {
        std::string out = fmt::format("fl={}\nfn={}\n", files_(key.file), functions_(key.name));
        for (const auto& [position, events] : function.own)
            out += fmt::format("{:#x} {} {}\n", position.first, position.second, fmt::join(events, " "));
        for (const auto& [at, call] : function.calls) {
            out += fmt::format("cfi={}\ncfn={}\n", files_(at.callee.file), functions_(at.callee.name));
            out += fmt::format("calls={} {:#x} {}\n", call.count, call.pc, call.first_line);
            out += fmt::format("{:#x} {} {}\n", call.pc, at.line, fmt::join(call.inclusive, " "));
        }
        return out + "\n";
    }

    const Profile& profile_;
    std::vector<std::string> names_, causes_;
    Ids objects_, files_, functions_;
};

} // namespace

std::string callgrind_profile(const Profile& profile) {
    return Writer(profile).take();
}

} // namespace heddle::report

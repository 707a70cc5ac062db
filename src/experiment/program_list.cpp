#include "experiment/program_list.h"

#include <algorithm>
#include <fnmatch.h>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/suggest.h"
#include "experiment/file_parts.h"

namespace heddle::experiment {

namespace {

bool is_pattern(std::string_view word) {
    return word.find_first_of("*?[") != std::string_view::npos;
}

bool fits_pattern(const std::string& pattern, const std::string& name) {
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

// "lwm.b*" in its parts; without a dot a program is empty.
struct SetAndProgram {
    explicit SetAndProgram(const std::string& word)
        : set(word.substr(0, word.find('.'))),
          program(word.find('.') == std::string::npos ? "" : word.substr(word.find('.') + 1)) {}
    std::string set, program;
};

class ProgramList {
public:
    ProgramList(Fields& fields, const ProgramSets& sets, Problems& problems)
        : fields_(fields), sets_(sets), problems_(problems) {}

    std::vector<Program> read() {
        for (const auto& [word, node] : fields_.placed_texts("programs"))
            add_fitting(word, place(*node));
        for (const toml::table* table : fields_.tables("program"))
            all_.push_back({"", read_program(*table, table->source().path ? *table->source().path : "", problems_)});
        if (all_.empty() && !fields_.has("programs") && !fields_.has("program"))
            problems_.add(fields_.where(),
                          "an experiment: 'programs' is missing: sets of programs, or [[program]] tables");
        for (const auto& [word, node] : fields_.placed_texts("exclude"))
            exclude(word, place(*node));
        tell_apart();
        std::vector<Program> out;
        for (Listed& one : all_)
            out.push_back(std::move(one.program));
        for (const std::string& argument : fields_.texts("arguments"))
            for (Program& program : out)
                program.arguments.push_back(argument);
        return out;
    }

private:
    struct Listed {
        std::string set; // empty for [[program]]
        Program program;
    };

    void add_fitting(const std::string& word, const std::string& where) {
        const SetAndProgram wanted(word);
        std::vector<std::string> sets, programs;
        std::size_t found = 0;
        for (const auto& [set, members] : sets_) {
            sets.push_back(set);
            if (!fits_pattern(wanted.set, set))
                continue;
            for (const Program& program : members) {
                programs.push_back(program.name);
                if (!wanted.program.empty() && !fits_pattern(wanted.program, program.name))
                    continue;
                ++found;
                if (!is_pattern(word) || !is_listed(set, program.name))
                    all_.push_back({set, program});
            }
        }
        if (found == 0)
            report(wanted, sets, programs, where);
    }

    void report(const SetAndProgram& wanted, const std::vector<std::string>& sets,
                const std::vector<std::string>& programs, const std::string& where) {
        if (programs.empty())
            return problems_.add(where,
                                 fmt::format("programs: there is no set '{}'; valid: {}, or one program of a set, "
                                             "as in lwm.bfs{}",
                                             wanted.set, comma_list(sets), did_you_mean(wanted.set, sets)));
        problems_.add(where, is_pattern(wanted.program)
                                 ? fmt::format("programs: no program of set '{}' fits '{}'; there are: {}", wanted.set,
                                               wanted.program, comma_list(programs))
                                 : fmt::format("programs: set '{}' has no program '{}'{}", wanted.set, wanted.program,
                                               did_you_mean(wanted.program, programs)));
    }

    [[nodiscard]] bool is_listed(const std::string& set, const std::string& name) const {
        return std::any_of(all_.begin(), all_.end(),
                           [&](const Listed& one) { return one.set == set && one.program.name == name; });
    }

    // SET.PROGRAM, or the name of a program of any set or of none.
    void exclude(const std::string& word, const std::string& where) {
        std::vector<std::string> names;
        const auto is_meant = [&](const Listed& one) {
            const std::string full = one.set + "." + one.program.name;
            names.push_back(word.find('.') == std::string::npos ? one.program.name : full);
            return fits_pattern(word, one.program.name) || (!one.set.empty() && fits_pattern(word, full));
        };
        if (std::erase_if(all_, is_meant) == 0)
            problems_.add(where, fmt::format("exclude: no program here fits '{}'; there are: {}{}", word,
                                             comma_list(names), did_you_mean(word, names)));
    }

    // Programs of two sets that have one name get those of their sets, too: "pro.bfs".
    void tell_apart() {
        std::map<std::string, std::set<std::string>> sets_of;
        for (const Listed& one : all_)
            sets_of[one.program.name].insert(one.set);
        std::set<std::string> names;
        for (Listed& one : all_) {
            if (sets_of[one.program.name].size() > 1 && !one.set.empty())
                one.program.name = one.set + "." + one.program.name;
            if (!names.insert(one.program.name).second)
                problems_.add(
                    fields_.where(),
                    fmt::format("two programs are called '{}'; give one of them another 'name'", one.program.name));
        }
    }

    Fields& fields_;
    const ProgramSets& sets_;
    Problems& problems_;
    std::vector<Listed> all_;
};

} // namespace

std::vector<Program> read_programs(Fields& fields, const ProgramSets& sets, Problems& problems) {
    return ProgramList(fields, sets, problems).read();
}

} // namespace heddle::experiment

#include "experiment/reading_file.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "base/suggest.h"
#include "config/parameter.h"
#include "experiment/file_parts.h"

namespace heddle::experiment {

namespace fs = std::filesystem;

namespace {

class ReadingsReader {
public:
    ReadingsReader(const Experiment& experiment, const ProgramSets& sets, Problems& problems)
        : experiment_(experiment), problems_(problems) {
        for (const auto& [name, programs] : sets)
            add_names(programs);
        add_names(experiment.programs);
    }

    void add(const toml::table& table, const std::string& file) {
        Fields fields(table, "a reading", file, problems_);
        Reading reading;
        reading.id = fields.required_text("id");
        reading.silent = fields.required_text("silent");
        reading.standard = fields.required_text("default");
        reading.because = fields.required_text("because");
        for (const toml::table* alternative : fields.tables("alternative"))
            add_alternative(*alternative, file, reading);
        if (reading.alternatives.empty())
            problems_.add(fields.where(), "a reading: 'alternative' is missing: what else the paper may mean");
        if (std::any_of(readings_.begin(), readings_.end(), [&](const Reading& r) { return r.id == reading.id; }))
            fields.problem("id", fmt::format("id: there is another reading '{}'", reading.id));
        fields.finish();
        readings_.push_back(std::move(reading));
    }

    [[nodiscard]] std::vector<Reading> readings() {
        return std::move(readings_);
    }

private:
    void add_alternative(const toml::table& table, const std::string& file, Reading& reading) {
        Fields fields(table, "an alternative", file, problems_);
        Alternative out;
        out.where = fields.where();
        out.name = fields.required_text("name");
        out.why = fields.required_text("why");
        out.settings = read_settings(fields, "set", problems_, [](const std::string&, const std::string&) {});
        out.programs = read_names(fields);
        out.arguments = fields.texts("arguments");
        out.variant = fields.text("variant");
        if (fields.has("mean"))
            out.mean = fields.choice("mean", mean_names(), Mean::geometric);
        if (out.settings.empty() && out.arguments.empty() && out.variant.empty() && !out.mean)
            problems_.add(out.where, "an alternative: changes nothing; give it set, arguments, variant or mean");
        const auto is_same = [&](const Alternative& other) { return other.name == out.name; };
        if (out.name == reading.standard ||
            std::any_of(reading.alternatives.begin(), reading.alternatives.end(), is_same))
            fields.problem("name", fmt::format("name: '{}' is there twice", out.name));
        fields.finish();
        check_machine(out, fields);
        reading.alternatives.push_back(std::move(out));
    }

    void add_names(const std::vector<Program>& programs) {
        for (const Program& program : programs)
            program_names_.push_back(program.name);
    }

    // `programs`: a file of readings serves several figures, so a program need not be in this one.
    std::vector<std::string> read_names(Fields& fields) {
        std::vector<std::string> names = fields.texts("programs");
        for (const std::string& name : names)
            if (std::find(program_names_.begin(), program_names_.end(), name) == program_names_.end())
                fields.problem("programs", fmt::format("programs: there is no program '{}'{}", name,
                                                       did_you_mean(name, program_names_)));
        return names;
    }

    // A wrong key or value is reported where the alternative sets it.
    void check_machine(const Alternative& alternative, Fields& fields) {
        if (experiment_.settings.empty() || alternative.settings.empty())
            return;
        const Setting& first = experiment_.settings.front();
        std::vector<std::string> all(first.settings.begin(),
                                     first.settings.begin() + static_cast<std::ptrdiff_t>(experiment_.common));
        all.insert(all.end(), alternative.settings.begin(), alternative.settings.end());
        try {
            (void)config::Machine::load(first.machine, all);
        } catch (const UserError& e) {
            std::istringstream lines(e.what());
            for (std::string line; std::getline(lines, line);)
                fields.problem("set", line);
        }
    }

    const Experiment& experiment_;
    Problems& problems_;
    std::vector<std::string> program_names_; // of all sets and of the experiment
    std::vector<Reading> readings_;
};

} // namespace

std::vector<Reading> read_readings(Fields& fields, const Experiment& experiment, const ProgramSets& sets,
                                   Problems& problems) {
    ReadingsReader reader(experiment, sets, problems);
    if (fields.has("readings") && !fields.text("readings").empty()) {
        const std::string path =
            path_beside(fields.text("readings"), *fields.node("readings"), experiment.file).string();
        try {
            const toml::table root = read_toml(path);
            Fields shared(root, "a file of readings", path, problems);
            for (const toml::table* table : shared.tables("reading"))
                reader.add(*table, path);
            shared.finish();
        } catch (const UserError& e) {
            fields.problem("readings", fmt::format("readings: {}", e.what()));
        }
    }
    for (const toml::table* table : fields.tables("reading"))
        reader.add(*table, experiment.file.string());
    return reader.readings();
}

} // namespace heddle::experiment

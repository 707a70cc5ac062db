#include "config/machine_variants.h"

#include <algorithm>

namespace heddle::config {

MachineVariants::MachineVariants(std::string_view name_or_path) {
    loader_.read_file(name_or_path);
    file_problems_ = loader_.problems_.size();
    file_ = loader_.machine_;
    record_rules();
}

void MachineVariants::record_rules() {
    for (const auto& [name, section] : sections())
        if (section.problems != nullptr) {
            Rule rule{section.problems, {}, {}};
            file_.reads_ = &rule.reads;
            rule.of_file = section.problems(file_);
            file_.reads_ = nullptr;
            rules_.push_back(std::move(rule));
        }
}

// Sections that the file lacks, and an override has added, go again.
void MachineVariants::take_back() {
    Machine& machine = loader_.machine_;
    for (const std::string& section : changed_) {
        const SectionInfo* const info = find_section(section);
        if (info == nullptr) // the name of a family
            continue;
        for (const ParameterInfo& p : info->parameters) {
            const std::string key = dotted_key(section, p.name);
            if (const auto before = file_.values_.find(key); before != file_.values_.end())
                machine.values_[key] = before->second;
            else
                machine.values_.erase(key);
        }
    }
    machine.declared_ = file_.declared_;
    loader_.problems_.resize(file_problems_);
    changed_.clear();
}

const Machine& MachineVariants::apply(std::span<const std::string> overrides) {
    take_back();
    for (const std::string& setting : overrides) {
        const std::string key = setting.substr(0, setting.find('='));
        const std::string section = key.substr(0, std::min(key.rfind('.'), key.size()));
        changed_.insert(section);
        changed_.insert(section.substr(0, section.find('.')));
        loader_.override_with(setting);
    }
    return loader_.machine_;
}

std::vector<std::string> MachineVariants::problems() const {
    std::vector<std::string> out = loader_.problems_;
    for (const Rule& rule : rules_) {
        const bool same = std::none_of(changed_.begin(), changed_.end(),
                                       [&](const std::string& section) { return rule.reads.contains(section); });
        for (const std::string& problem : same ? rule.of_file : rule.problems(loader_.machine_))
            out.push_back(loader_.with_places(problem));
    }
    return out;
}

} // namespace heddle::config

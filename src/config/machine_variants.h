// The machines that overrides make of one file, for sweeps over thousands of them. The file is read once, overrides are
// applied in place, and a rule between settings is checked again only if it reads a section that they change.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/loader.h"

namespace heddle::config {

class MachineVariants {
public:
    // A shipped machine by name, or a TOML file by path. The problems of the file belong to every variant.
    explicit MachineVariants(std::string_view name_or_path);
    MachineVariants(const MachineVariants&) = delete;
    MachineVariants& operator=(const MachineVariants&) = delete;

    // The file with these overrides in place of earlier ones. Wrong overrides are left out; problems() has them.
    const Machine& apply(std::span<const std::string> overrides);
    // Those that Machine::load reports for the present overrides, in its order. Empty: the machine is valid.
    [[nodiscard]] std::vector<std::string> problems() const;

private:
    struct Rule {
        std::vector<std::string> (*problems)(const Machine&);
        std::vector<std::string> of_file;         // its problems without overrides
        std::set<std::string, std::less<>> reads; // sections, and families whose members it lists
    };
    void record_rules();
    void take_back();

    Loader loader_;
    Machine file_; // without overrides
    std::size_t file_problems_ = 0;
    std::vector<Rule> rules_;                    // in the order of Loader::check_struct_rules
    std::set<std::string, std::less<>> changed_; // sections and families that the present overrides name
};

} // namespace heddle::config

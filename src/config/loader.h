// Reads machine files and overrides into a Machine, and collects all problems.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"

namespace heddle::config {

// "dram.banks". Sweeps make millions of them, so without a format string.
[[nodiscard]] inline std::string dotted_key(std::string_view section, std::string_view key) {
    std::string out;
    out.reserve(section.size() + 1 + key.size());
    return out.append(section).append(1, '.').append(key);
}

class Loader {
public:
    Loader();
    // As specified for Machine::load and Machine::defaults.
    [[nodiscard]] Machine load(std::string_view name_or_path, std::span<const std::string> overrides);
    [[nodiscard]] Machine defaults(std::span<const std::string> overrides);

private:
    struct File {
        std::string label;  // name in messages and origins
        std::string folder; // the folder for a relative `base`; empty for shipped files
        std::string stem;   // the machine's name unless the file gives one
        std::string text;
    };
    [[nodiscard]] static File find(std::string_view name_or_path, const std::string& folder);
    void read_file(std::string_view name_or_path);
    void read(const File&);
    void add_defaults(std::string_view section); // for keys without a value
    void override_with(const std::string& setting);
    // Sets a value from `text`. `where` begins an error message; `origin` is the origin in the result.
    void set(const std::string& where, std::string_view section, std::string_view key, const std::string& text,
             const std::string& origin);
    void check_struct_rules();
    [[nodiscard]] std::string with_places(const std::string& problem) const;

    [[nodiscard]] std::string& name() {
        return machine_.name_;
    }
    [[nodiscard]] std::string& description() {
        return machine_.description_;
    }

    [[nodiscard]] unsigned& year() {
        return machine_.year_;
    }

    friend class FileReader;
    friend class MachineVariants;
    Machine machine_;
    std::vector<std::string> open_; // labels of the files being read, to find cycles of bases
    std::vector<std::string> problems_;
};

} // namespace heddle::config

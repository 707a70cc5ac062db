// A folder that a test may fill.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace heddle::experiment {

class Scratch {
public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "heddle-experiment-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
        return path_ / name;
    }
    [[nodiscard]] const std::filesystem::path& path() const {
        return path_;
    }
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name) << text;
        return path_ / name;
    }

private:
    std::filesystem::path path_;
};

} // namespace heddle::experiment

// Claims on runs among the processes of one computer, so that two that need the same runs share the work. A claim is a
// lock on a byte of a file: the system takes it back when the process ends, however it ends.
#pragma once

#include <filesystem>
#include <string>

namespace heddle::experiment {

class Claims {
public:
    // Creates the file when it is missing. Throws UserError when it cannot be opened.
    explicit Claims(const std::filesystem::path& file);
    ~Claims();
    Claims(const Claims&) = delete;
    Claims& operator=(const Claims&) = delete;

    // False when another process has the claim. Throws UserError when the file system has no locks.
    [[nodiscard]] bool claim(const std::string& key);
    void release(const std::string& key);

private:
    [[nodiscard]] int lock(const std::string& key, short kind) const;

    std::filesystem::path file_;
    int descriptor_;
};

} // namespace heddle::experiment

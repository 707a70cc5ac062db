// Claims on runs among the processes of one computer, so that two that need the same runs share the work. A claim is a
// lock on a byte of a file: the system takes it back when the process ends, however it ends.
#pragma once

#include <filesystem>
#include <string>

namespace heddle::experiment {

class Claims {
public:
    enum class Answer {
        held,      // by this process
        elsewhere, // by another process
        no_locks,  // the file system has none
    };

    // Creates the file when it is missing. Throws UserError when it cannot be opened.
    explicit Claims(const std::filesystem::path& file);
    ~Claims();
    Claims(const Claims&) = delete;
    Claims& operator=(const Claims&) = delete;

    [[nodiscard]] Answer claim(const std::string& key);
    void release(const std::string& key);

private:
    [[nodiscard]] int lock(const std::string& key, short kind) const;

    int descriptor_;
};

} // namespace heddle::experiment

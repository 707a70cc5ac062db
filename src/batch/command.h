// A command of the engine, run to its end.
#pragma once

#include <string>
#include <vector>

namespace heddle::batch {

struct CommandResult {
    int status = 0; // 127: there is no such command
    std::string output, errors;

    // The last line that the command wrote, for messages.
    [[nodiscard]] std::string complaint() const;
};

// The command is found in PATH; it reads nothing.
[[nodiscard]] CommandResult run_command(const std::vector<std::string>& words);

// A word as a POSIX shell reads it.
[[nodiscard]] std::string quoted(const std::string& word);
[[nodiscard]] std::string quoted(const std::vector<std::string>& words);

} // namespace heddle::batch

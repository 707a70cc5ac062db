// Files for what other processes hand over.
#pragma once

#include <string>

namespace heddle::cli {

// A file without a name in the folder for temporary files (TMPDIR). Nothing of it is left when this process ends,
// however it ends.
class TemporaryFile {
public:
    // Throws UserError when there can be no such file.
    TemporaryFile();
    ~TemporaryFile();
    TemporaryFile(TemporaryFile&&) noexcept;
    TemporaryFile& operator=(TemporaryFile&&) noexcept;

    // A path for all processes, while this object lives.
    [[nodiscard]] std::string path() const;
    [[nodiscard]] bool empty() const;
    [[nodiscard]] std::string content() const;

private:
    int file_ = -1;
};

} // namespace heddle::cli

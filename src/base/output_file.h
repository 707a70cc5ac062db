// Files that are written whole or not at all.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace heddle {

// Writes a file. A regular file is written aside, in the same folder, and renamed at the end: a write that fails, or a
// process that is killed, leaves the file that was there before. What is no regular file (a pipe, a device, an open
// file of a process under /proc) is written directly. A link stays, and its target is written. Throws UserError with
// the reason.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& content);
void write_file(const std::string& path, std::string_view content);

// Whether `path` is written directly: it exists and is no regular file, or it lies under /proc.
[[nodiscard]] bool is_written_directly(const std::string& path);

// Throws UserError with the reason when write_file could not write this file now. Leaves nothing behind, and an
// existing file as it is.
void check_writable(const std::string& path);

} // namespace heddle

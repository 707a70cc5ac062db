// Names of the places of a profile: files, lines, functions and the calls that were inlined.
#pragma once

#include <string>
#include <vector>

#include "report/profile.h"

namespace heddle::report {

// The innermost source line; the PTX line where the PTX names none.
[[nodiscard]] SourceLine line_of(const ProfiledInstruction&);

// "a.cu" of "/src/a.cu".
[[nodiscard]] std::string without_folders(const std::string& name);

// The files' names without folders, where no other file has that name.
[[nodiscard]] std::vector<std::string> short_file_names(const Profile&);

// "a.cu:7", with these names.
[[nodiscard]] std::string place_name(const std::vector<std::string>& file_names, SourceLine);

// Without spaces at its ends.
[[nodiscard]] std::string trimmed(const std::string& text);

struct Frame {
    std::string function; // readable
    SourceLine line;      // of the instruction, or of the call to the next frame
};

// From the function of the PTX to the innermost function that was inlined in it. Where the PTX does not name an inlined
// function it is named after the call: "(inlined at a.cu:7)".
[[nodiscard]] std::vector<Frame> frames_of(const std::vector<std::string>& file_names, const ProfiledInstruction&);

} // namespace heddle::report

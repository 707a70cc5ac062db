// How a row of a profile is called in a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/profile/rows.h"

namespace heddle::report {

// "line", "path", "function", "instruction", "kernel".
[[nodiscard]] std::string_view rows_by_name(RowsBy);

class RowNames {
public:
    explicit RowNames(const Profile&);

    // "a.cu:7"; a path "a.cu:2 < a.cu:7"; the name of a function or kernel; "12 ld.global.f32", the PC before the text.
    [[nodiscard]] std::string name(const ProfileRows&, const ProfileRow&) const;
    // The source line of a row that has one, without spaces around it.
    [[nodiscard]] std::string text(const ProfileRows&, const ProfileRow&) const;
    // "a.cu:7" of the row's first instruction.
    [[nodiscard]] std::string place(const ProfileRow&) const;
    // The text of a line, empty where the file or the line is not there.
    [[nodiscard]] std::string line(SourceLine) const;
    // The whole instruction as the PTX has it; the opcode where its text is not there.
    [[nodiscard]] std::string ptx(const ProfiledInstruction&) const;

    // What cost the row most: {"sb_dram", its slots}; "issued" where no cause has more slots.
    struct Cause {
        std::string code;
        std::uint64_t slots = 0;
        std::optional<std::size_t> producer;
    };
    [[nodiscard]] static Cause largest_cause(const ProfileRow&);

private:
    std::vector<std::string> files_;
    std::vector<std::vector<std::string>> lines_; // by file
};

} // namespace heddle::report

// Source files beside what their lines cost in one run, or in two: data for a page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/profile.h"
#include "report/profile/columns.h"

namespace heddle::report {

struct ListedStall {
    std::string cause; // a code: "sb_dram"
    std::uint64_t slots = 0;
    std::optional<std::size_t> producer; // ListedRow whose results were missing
};

struct ListedInstruction {
    std::uint32_t pc = 0;
    std::string text, path; // the calls that were inlined: "a.cu:7", "a.cu:5 < a.cu:9"; empty where there are none
    std::uint64_t executions = 0, slots = 0;
    std::optional<double> lanes;
    std::string cause; // "sb_dram 72 %"
};

struct ListedCosts {                             // of a line in a run
    std::vector<std::optional<double>> values;   // one a column
    std::string cause;                           // "sb_dram 72 %": the largest part of its slots
    std::vector<ListedStall> stalls;             // the largest first
    std::vector<ListedInstruction> instructions; // empty where the line is one itself
};

struct ListedRow {                                // a line with costs
    std::string place;                            // "a.cu:7"
    std::vector<std::optional<ListedCosts>> runs; // one a run
};

struct ListedLine {
    std::vector<std::uint32_t> numbers; // one a run; 0: the line is not in that run's file
    std::string text;
    std::optional<std::size_t> row; // in SourceListing::rows
    bool shown = false;             // has a row, or stands near one; others are shown on demand
};

struct ListedFile {
    std::string name;           // the whole name, of the first run that has it
    std::vector<double> shares; // of all issue slots, one a run
    bool has_text = false;
    std::vector<ListedLine> lines;
};

struct ListedCause {
    std::string code;
    std::vector<double> shares;                       // of all issue slots, one a run
    std::vector<std::pair<std::size_t, double>> rows; // the rows with most of its slots in the last run, and the shares
};

struct SourceListing {
    std::vector<std::string> runs; // names; one or two
    std::vector<ProfileColumn> columns;
    std::vector<std::size_t> beside; // columns that stand beside the chosen one
    std::vector<ListedRow> rows;
    std::vector<ListedFile> files;    // the costliest first
    std::vector<ListedCause> causes;  // the largest first
    std::vector<std::size_t> hottest; // rows, the costliest first
    std::size_t files_left_out = 0;
};

[[nodiscard]] SourceListing source_listing(const Profile&, std::string run);
// The lines of both, matched by their text (report/profile/matching.h).
[[nodiscard]] SourceListing source_listing(const Profile& first, std::string first_run, const Profile& second,
                                           std::string second_run);

} // namespace heddle::report

// Sequences from FASTA files. Host code only.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace workload {

struct Sequence {
    std::string name;    ///< the first word behind '>'
    std::string letters; ///< upper case
};

/// Reads all sequences of a file, of at most `longest` letters each. A letter, in upper or lower case, must be one of
/// `alphabet`. An error is a std::runtime_error that says "file:line: what".
std::vector<Sequence> read_fasta(const std::string& path, const std::string& alphabet, std::size_t longest);

} // namespace workload

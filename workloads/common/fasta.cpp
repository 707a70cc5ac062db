#include "common/fasta.h"

#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace workload {

namespace {

class Reader {
public:
    Reader(const std::string& path, const std::string& alphabet, std::size_t longest)
        : path_(path), alphabet_(alphabet), longest_(longest) {}

    std::vector<Sequence> read() {
        std::ifstream file(path_);
        if (!file)
            throw std::runtime_error(path_ + ": cannot be opened");
        std::string text;
        while (std::getline(file, text)) {
            ++line_;
            if (!text.empty() && text.back() == '\r')
                text.pop_back();
            if (!text.empty() && text[0] == '>')
                begin(text.substr(1));
            else
                append(text);
        }
        if (file.bad() || line_ == 0)
            throw std::runtime_error(path_ + ": is empty or cannot be read");
        end();
        if (sequences_.empty())
            fail("the file holds no sequence");
        return std::move(sequences_);
    }

private:
    void begin(const std::string& title) {
        end();
        Sequence sequence;
        std::istringstream(title) >> sequence.name;
        sequences_.push_back(sequence);
        begun_ = line_;
    }

    /// The sequence that was begun last is complete.
    void end() {
        if (sequences_.empty() || !sequences_.back().letters.empty())
            return;
        line_ = begun_;
        fail("the sequence '" + sequences_.back().name + "' has no letters");
    }

    void append(const std::string& text) {
        for (const char c : text) {
            if (c == ' ' || c == '\t')
                continue;
            if (sequences_.empty())
                fail("a FASTA file begins with '>'");
            const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            if (alphabet_.find(letter) == std::string::npos)
                fail(described(c) + " is none of the letters " + alphabet_);
            std::string& letters = sequences_.back().letters;
            if (letters.size() == longest_)
                fail("the sequence '" + sequences_.back().name + "' has more than " + std::to_string(longest_) +
                     " letters");
            letters += letter;
        }
    }

    static std::string described(char c) {
        const auto code = static_cast<unsigned char>(c);
        return std::isprint(code) != 0 ? std::string("'") + c + "'" : "the byte " + std::to_string(unsigned{code});
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(path_ + ":" + std::to_string(line_) + ": " + what);
    }

    const std::string& path_;
    const std::string& alphabet_;
    std::size_t longest_;
    std::vector<Sequence> sequences_;
    std::size_t line_ = 0;
    std::size_t begun_ = 0; ///< the line of the last sequence's name
};

} // namespace

std::vector<Sequence> read_fasta(const std::string& path, const std::string& alphabet, std::size_t longest) {
    return Reader(path, alphabet, longest).read();
}

} // namespace workload

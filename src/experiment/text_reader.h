// Reads formulas and conditions word by word.
#pragma once

#include <cctype>
#include <charconv>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "experiment/formula_reader.h"

namespace heddle::experiment {

class TextReader {
public:
    explicit TextReader(std::string_view text) : text_(text) {}

    [[noreturn]] void fail(std::string message) const {
        throw Fault{at_, std::move(message)};
    }
    [[nodiscard]] std::size_t offset() const {
        return at_;
    }
    void go_back_to(std::size_t offset) {
        at_ = offset;
    }
    // Whether only spaces are left, which are passed over. The functions below do not look at spaces.
    bool at_end() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
        return at_ == text_.size();
    }
    [[nodiscard]] std::string_view rest() const {
        return text_.substr(at_);
    }
    // The character here; 0 at the end.
    [[nodiscard]] char here() const {
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    void advance(std::size_t count = 1) {
        at_ += count;
    }

    // Spaces, then this character: passed over when it is there.
    bool take(char c) {
        if (at_end() || text_[at_] != c)
            return false;
        ++at_;
        return true;
    }
    void expect(char c, std::string_view what = "formula") {
        if (!take(c))
            fail(fmt::format("expected '{}'{}", c, at_end() ? fmt::format(" before the {} ends", what) : ""));
    }

    double number() {
        double out = 0;
        const char* const begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), out);
        at_ += static_cast<std::size_t>(end - begin);
        if (error != std::errc() || is_name(here()))
            fail("not a number");
        return out;
    }
    // A minus between two characters of a name is part of the name ("two-level"); a minus before a space is not.
    std::string word() {
        const std::size_t begin = at_;
        while (is_name(here()) || (here() == '-' && at_ > begin && at_ + 1 < text_.size() && is_name(text_[at_ + 1])))
            ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }

private:
    static bool is_name(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace heddle::experiment

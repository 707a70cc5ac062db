// Reads the modifiers of an instruction from left to right, where their order is fixed.
#pragma once

#include <string_view>
#include <vector>

#include "ptx/syntax.h"

namespace heddle::ir {

class WordReader {
public:
    // `instruction` outlives this object.
    explicit WordReader(const ptx::Instruction& instruction) : words_(instruction.modifiers) {}
    // `words` outlives this object.
    explicit WordReader(const std::vector<std::string_view>& words) : words_(words) {}

    // Whether the next modifier is `word`; goes past it then.
    bool accept(std::string_view word) {
        if (next_ == words_.size() || words_[next_] != word)
            return false;
        ++next_;
        return true;
    }
    // The next modifier, past which it goes; empty at the end.
    [[nodiscard]] std::string_view take() {
        return is_at_end() ? std::string_view() : words_[next_++];
    }
    [[nodiscard]] bool is_at_end() const {
        return next_ == words_.size();
    }

private:
    const std::vector<std::string_view>& words_;
    std::size_t next_ = 0;
};

} // namespace heddle::ir

// Source texts, positions in them, and the diagnostics that point there.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct Position { // 1-based; line 0: no position is known
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

class SourceText {
public:
    SourceText(std::string name, std::string text);

    [[nodiscard]] const std::string& name() const {
        return name_;
    }
    [[nodiscard]] std::string_view text() const {
        return text_;
    }
    // Line `line` (1-based) without its end; empty when there is no such line.
    [[nodiscard]] std::string_view line(std::uint32_t line) const;

private:
    std::string name_;
    std::string text_;
    std::vector<std::size_t> starts_; // offset of each line
};

// What a user did wrong, as one message that is ready to print. Everything that a user can cause
// ends here: asserts are for the program's own mistakes.
class UserError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Collects errors about one text, so that a run can report several.
class Diagnostics {
public:
    static constexpr std::size_t kMaxErrors = 20;

    explicit Diagnostics(std::shared_ptr<const SourceText> source) : source_(std::move(source)) {}

    void error(Position where, std::string message);
    [[nodiscard]] bool failed() const {
        return !errors_.empty();
    }
    [[nodiscard]] bool full() const {
        return errors_.size() >= kMaxErrors;
    }
    [[nodiscard]] std::size_t count() const {
        return errors_.size();
    }
    // "file:line:col: error: message", the source line and a caret, for each error in text order.
    [[nodiscard]] std::string render() const;
    // Throws UserError(render()) if there was an error.
    void throw_if_failed() const;

private:
    struct Entry {
        Position where;
        std::string message;
    };
    std::shared_ptr<const SourceText> source_;
    std::vector<Entry> errors_;
};

} // namespace heddle

// A cursor over a text that need not be a module.
#pragma once

#include <memory>
#include <string>

#include "ptx/token_cursor.h"

namespace heddle::ptx {

struct Cursor {
    explicit Cursor(const std::string& text)
        : source(std::make_shared<const SourceText>("test.ptx", text)), diagnostics(source),
          tokens(source->text(), diagnostics) {}

    std::shared_ptr<const SourceText> source;
    Diagnostics diagnostics;
    TokenCursor tokens;
};

// "line:column: message" of the failure that `read` throws.
template <class F>
std::string failure_of(F&& read) {
    try {
        read();
    } catch (const ParseFailure& failure) {
        return std::to_string(failure.where.line) + ":" + std::to_string(failure.where.column) + ": " + failure.message;
    }
    return "";
}

} // namespace heddle::ptx

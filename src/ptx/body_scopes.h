// The open braces of a function's body, and the locals and labels whose ranges end at the closing ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/syntax.h"

namespace heddle::ptx {

// Ranges are instruction indices in the body that is being read.
class BodyScopes {
public:
    void start(Position brace); // the braces of a new body
    void open(const Function& function, Position brace);
    void close(Function& function); // the innermost scope; its names end here

    [[nodiscard]] bool empty() const { // the body is at its end
        return open_.empty();
    }
    [[nodiscard]] Position body() const { // the body's opening brace
        return open_.front().where;
    }

    // Adds to the function a name that starts here, in the innermost scope.
    void add_local(Function& function, Variable variable);
    void add_label(Function& function, std::string_view name, Position where);

private:
    struct Scope {
        std::size_t first_local = 0; // in locals_
        std::size_t first_label = 0; // in labels_
        std::uint32_t begin = 0;     // instruction index
        Position where;
    };

    std::vector<Scope> open_;
    std::vector<std::size_t> locals_; // indices in Function::locals, innermost scope last
    std::vector<std::size_t> labels_;
};

} // namespace heddle::ptx

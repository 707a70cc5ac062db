// "Did you mean": the nearest of some names.
#pragma once

#include <string>
#include <string_view>

namespace heddle::ir {

class Suggestion {
public:
    explicit Suggestion(std::string_view wanted);
    void consider(std::string_view candidate);
    // The nearest candidate so far when it is near enough to be meant (a third of the name's letters
    // may differ), else empty. The first of equals.
    [[nodiscard]] const std::string& name() const {
        return best_;
    }

private:
    std::string_view wanted_;
    std::string best_;
    std::size_t distance_;
};

// "; did you mean 'x'?", or nothing for an empty name.
[[nodiscard]] std::string did_you_mean(std::string_view name);

} // namespace heddle::ir

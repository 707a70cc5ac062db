// An error that ends a launch: of a thread, or of a policy that a plug-in has brought.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle::exec {

// what() is the whole report: kernel, PTX line, source line, block, thread, address, size, nearest allocation.
class Fault : public std::runtime_error {
public:
    enum class Kind {
        Address, // outside every allocation or window, freed, or a write to read-only memory
        Misaligned,
        Stuck, // deadlock or livelock
        Assertion,
        Policy, // a policy of a plug-in gives an answer that its contract does not allow
        Other,  // trap, endless recursion, a barrier that does not exist
    };

    Fault(Kind kind, const std::string& report) : std::runtime_error(report), kind_(kind) {}

    [[nodiscard]] Kind kind() const {
        return kind_;
    }

private:
    Kind kind_;
};

} // namespace heddle::exec

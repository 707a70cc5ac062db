#include "mem/network/guard.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "exec/policy_fault.h"

namespace heddle::mem {
namespace {

template <class PortMask>
class Guard final : public Allocator<PortMask> {
public:
    Guard(std::unique_ptr<Allocator<PortMask>> allocator, std::string who)
        : allocator_(std::move(allocator)), who_(std::move(who)), contend_(allocator_->inputs_contend()) {}

    void allocate(const Requests<PortMask>& requests, Match<PortMask>& match) override {
        allocator_->allocate(requests, match);
        PortMask inputs = requests.inputs;
        match.outputs.for_each([&](unsigned output) {
            const unsigned input = match.input[output];
            if (!requests.outputs.contains(output)) [[unlikely]]
                refuse(output, requests.outputs);
            if (input >= PortMask::kSize || !(requests.of_output[output] & inputs).contains(input)) [[unlikely]]
                refuse(output, input, requests.of_output[output] & inputs);
            if (contend_)
                inputs.erase(input);
        });
    }
    bool inputs_contend() const override {
        return contend_;
    }

private:
    static std::string list(const PortMask& ports) {
        std::vector<unsigned> out;
        ports.for_each([&](unsigned port) { out.push_back(port); });
        return out.empty() ? "none" : exec::number_list(out);
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(unsigned output, const PortMask& allowed) const {
        exec::policy_fault(who_, fmt::format("allocate() matches output {}", output),
                           fmt::format("an output of requests.outputs, {}", list(allowed)));
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(unsigned output, unsigned input, const PortMask& allowed) const {
        exec::policy_fault(
            who_, fmt::format("allocate() matches output {} with input {}", output, input),
            fmt::format("a free input that requests the output and is in no other pair, {}", list(allowed)));
    }

    std::unique_ptr<Allocator<PortMask>> allocator_;
    std::string who_;
    bool contend_;
};

} // namespace

template <class PortMask>
std::unique_ptr<Allocator<PortMask>> guard(std::unique_ptr<Allocator<PortMask>> allocator, std::string who,
                                           const AllocatorShape& /*shape*/) {
    return std::make_unique<Guard<PortMask>>(std::move(allocator), std::move(who));
}

template std::unique_ptr<Allocator<Ports64>> guard(std::unique_ptr<Allocator<Ports64>>, std::string,
                                                   const AllocatorShape&);
template std::unique_ptr<Allocator<Ports256>> guard(std::unique_ptr<Allocator<Ports256>>, std::string,
                                                    const AllocatorShape&);
template std::unique_ptr<Allocator<Ports1024>> guard(std::unique_ptr<Allocator<Ports1024>>, std::string,
                                                     const AllocatorShape&);

} // namespace heddle::mem

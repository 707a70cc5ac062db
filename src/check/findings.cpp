#include "check/findings.h"

#include <algorithm>

namespace heddle::check {

void Findings::add(const Finding& finding) {
    const auto [low, high] = std::minmax(finding.first.pc, finding.second.pc);
    const auto [at, fresh] = known_.try_emplace({finding.kind, finding.space, low, high, finding.what}, all_.size());
    if (fresh) {
        all_.push_back(finding);
        return;
    }
    all_[at->second].count += finding.count;
    if (finding.kind == Kind::Leak)
        all_[at->second].bytes += finding.bytes;
}

std::span<const Finding> Findings::take_new() {
    const std::span<const Finding> out = std::span(all_).subspan(taken_);
    taken_ = all_.size();
    return out;
}

} // namespace heddle::check

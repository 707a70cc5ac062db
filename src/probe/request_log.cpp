#include "probe/request_log.h"

#include <algorithm>

namespace heddle::probe {

void RequestLog::keep(const Request& request) {
    if (!range_.meets(request.sent, request.answered))
        return;
    if (requests_.size() < limit_)
        requests_.push_back(request);
    else
        ++dropped_;
}

void RequestLog::sent(Asked asked, std::uint32_t id, Address address, std::uint64_t bytes, Cycle now) {
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(open_.size()));
        open_.emplace_back();
    }
    const std::uint32_t at = free_.back();
    free_.pop_back();
    open_[at] = {{now, now, address, static_cast<std::uint16_t>(bytes), asked, Served::Unanswered}, kNone};
    std::vector<Chain>& chains = chains_[static_cast<std::size_t>(asked)];
    if (id >= chains.size())
        chains.resize(id + std::size_t{1});
    Chain& chain = chains[id];
    if (chain.first == kNone)
        chain.first = at;
    else
        open_[chain.last].next = at;
    chain.last = at;
}

void RequestLog::sent_without_answer(Asked asked, Address address, std::uint64_t bytes, Cycle now) {
    keep({now, now, address, static_cast<std::uint16_t>(bytes), asked, Served::Unanswered});
}

void RequestLog::answered(Asked asked, std::uint32_t id, Served served, Cycle now) {
    std::vector<Chain>& chains = chains_[static_cast<std::size_t>(asked)];
    if (id >= chains.size() || chains[id].first == kNone) // the request is from a launch that was stopped
        return;
    const std::uint32_t at = chains[id].first;
    chains[id].first = open_[at].next;
    free_.push_back(at);
    Request request = open_[at].request;
    request.answered = now;
    request.served = served;
    keep(request);
}

void RequestLog::end(Cycle now) {
    std::vector<Request> left;
    for (std::vector<Chain>& chains : chains_) {
        for (const Chain& chain : chains)
            for (std::uint32_t at = chain.first; at != kNone; at = open_[at].next)
                left.push_back(open_[at].request);
        chains.clear();
    }
    std::sort(left.begin(), left.end(), [](const Request& a, const Request& b) {
        return a.sent != b.sent ? a.sent < b.sent : a.address < b.address;
    });
    for (Request& request : left) {
        request.answered = std::max(now, request.sent);
        keep(request);
    }
    open_.clear();
    free_.clear();
}

} // namespace heddle::probe

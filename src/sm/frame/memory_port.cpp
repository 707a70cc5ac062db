#include "sm/frame/memory_port.h"

#include "mem/network/gpc_config.h"
#include "sm/load_store/store_table.h"

namespace heddle::sm {

using mem::Request;
using mem::Requester;

MemoryPort::MemoryPort(const config::Machine& machine)
    : packets_(mem::request_network(machine)),
      flits_left_(static_cast<std::int64_t>(machine.get<mem::InterconnectConfig>().input_flits)) {
    if (machine.get<mem::InterconnectConfig>().kind == "none")
        direct_.emplace(machine.get<mem::DramConfig>());
}

namespace {

probe::Asked asked(Requester requester) {
    switch (requester) {
    case Requester::Data:
        return probe::Asked::Data;
    case Requester::Constant:
        return probe::Asked::Constant;
    case Requester::Texture:
        return probe::Asked::Texture;
    case Requester::Copy:
        return probe::Asked::Copy;
    case Requester::Instruction:
        return probe::Asked::Instruction;
    case Requester::Atomic:
        return probe::Asked::Atomic;
    case Requester::Store:
        return probe::Asked::Store;
    case Requester::None:
    case Requester::Probe:
    case Requester::Credit:
        break;
    }
    return probe::Asked::Write;
}

} // namespace

void MemoryPort::record(const Request& request) {
    if (mem::is_told(request.message) && !mem::carries_dirty_data(request.message)) // no data are moved
        return;
    probe::RequestLog& log = timeline->requests;
    if (request.requester == Requester::None ||
        (request.requester == Requester::Store && request.id == kNoStore)) // the latter: from a flush
        log.sent_without_answer(probe::Asked::Write, request.address, request.bytes, request.sent);
    else
        log.sent(asked(request.requester), request.id, request.address, request.bytes, request.sent);
}

void MemoryPort::record(const mem::Reply& answer) {
    if (answer.requester != Requester::Credit && answer.requester != Requester::Probe)
        timeline->requests.answered(asked(answer.requester), answer.id,
                                    answer.level == mem::Level::Llc ? probe::Served::LastLevel : probe::Served::Memory,
                                    answer.at);
}

void MemoryPort::send(const Request& request) {
    if (timeline != nullptr) [[unlikely]]
        record(request);
    if (direct_) {
        const Cycle done =
            direct_->request(request.address, request.bytes, request.use(), request.sent, request.operations);
        if (request.requester == Requester::None)
            return;
        push_sorted({.at = done, .requester = request.requester, .level = mem::Level::Dram, .id = request.id});
        return;
    }
    if (flits_left_ > 0 && waiting_.empty())
        depart(request);
    else
        waiting_.push(request);
}

void MemoryPort::depart(const Request& request) {
    flits_left_ -= packets_.flits(request.carried);
    outstanding_ += request.requester == Requester::None ? 0 : 1;
    departed_.push_back(request);
}

void MemoryPort::go_on(Cycle now) {
    while (!waiting_.empty() && flits_left_ > 0) {
        Request request = waiting_.pop();
        request.sent = now;
        depart(request);
    }
    if (refused_ && waiting_.empty() && flits_left_ > 0) {
        refused_ = false;
        push({.at = now, .requester = Requester::Credit});
    }
}

void MemoryPort::add_statistics(stats::Tree& tree) {
    if (direct_)
        tree.add_one_of("dram", direct_->stats());
}

} // namespace heddle::sm

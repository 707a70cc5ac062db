// An SM's way to memory. On a machine without an interconnect requests go straight to DRAM, which knows at once when
// it answers. Else they leave for the network as far as its input buffer is known to have room, and what it answers is
// delivered when a window of cycles ends.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/ring_queue.h"
#include "base/select.h"
#include "config/parameter.h"
#include "mem/dram/dram.h"
#include "mem/network/config.h"
#include "mem/request.h"
#include "probe/timeline.h"
#include "stats/tree.h"

namespace heddle::sm {

class MemoryPort {
public:
    explicit MemoryPort(const config::Machine& machine);

    // A line for an access, or for nobody yet: a prefetch. `access` names an address in it.
    void read(mem::CacheAccess access, std::uint64_t bytes, mem::Requester requester, std::uint32_t id, Cycle now) {
        send({.address = access.address,
              .sent = now,
              .id = id,
              .bytes = static_cast<std::uint16_t>(bytes),
              .kind = fetching(access),
              .requester = requester,
              .pc = access.pc});
    }
    // With `requester` None no answer comes.
    void write(mem::CacheAccess access, std::uint64_t bytes, mem::Requester requester, std::uint32_t id, Cycle now) {
        const auto all = static_cast<std::uint16_t>(bytes);
        send({.address = access.address,
              .sent = now,
              .id = id,
              .bytes = all,
              .carried = all,
              .kind = access.kind,
              .requester = requester,
              .pc = access.pc});
    }
    // A dirty line leaves its cache.
    void write_back(Address address, std::uint64_t bytes, mem::Requester requester, std::uint32_t id, Cycle now) {
        write({.address = address, .kind = mem::AccessKind::WriteBack}, bytes, requester, id, now);
    }
    // `bytes`: of the line on which it is done; `carried`: of its operands; `operations`: most of them on one word.
    void atomic(mem::CacheAccess access, std::uint64_t bytes, std::uint64_t carried, unsigned operations,
                std::uint32_t id, Cycle now) {
        send({.address = access.address,
              .sent = now,
              .id = id,
              .bytes = static_cast<std::uint16_t>(bytes),
              .carried = static_cast<std::uint16_t>(carried),
              .kind = mem::AccessKind::Atomic,
              .requester = mem::Requester::Atomic,
              .operations = static_cast<std::uint8_t>(operations),
              .pc = access.pc});
    }

    // Of a coherent data cache (docs/coherence.md): asks for a line, or for leave to write it.
    void ask(mem::CacheAccess access, std::uint64_t bytes, mem::Message message, std::uint32_t id, Cycle now) {
        send({.address = access.address,
              .sent = now,
              .id = id,
              .bytes = static_cast<std::uint16_t>(bytes),
              .kind = fetching(access),
              .requester = mem::Requester::Data,
              .message = message,
              .pc = access.pc});
    }
    // The same: tells of a line what nobody answers, with its data if they are dirty.
    void tell(Address address, std::uint64_t bytes, mem::Message message, Cycle now) {
        const auto all = static_cast<std::uint16_t>(bytes);
        const std::uint16_t carried = mem::carries_dirty_data(message) ? all : 0;
        send({.address = address,
              .sent = now,
              .bytes = all,
              .carried = carried,
              .kind = mem::AccessKind::WriteBack,
              .message = message});
    }

    // Whether a request that is not urgent may be sent. Who is refused gets an answer Requester::Credit when it is
    // worth another try. (Write-backs are urgent: the line is gone from its cache; they wait in the port. So is what a
    // coherent cache tells, and the upgrade that goes on where a request of its ended.)
    [[nodiscard]] bool has_room() {
        if (direct_ || (waiting_.empty() && flits_left_ > 0))
            return true;
        refused_ = true;
        return false;
    }

    // Whether a request without data may be sent and another one after it. Nothing is told when that changes: for
    // prefetches, which are dropped then.
    [[nodiscard]] bool has_room_to_spare() const {
        return direct_ || (waiting_.empty() && flits_left_ > packets_.flits(0));
    }

    // When the next answer comes; kNever when none is known of.
    [[nodiscard]] Cycle next() const {
        return next_;
    }
    mem::Reply take() {
        const mem::Reply answer = answers_.pop();
        if (timeline != nullptr) [[unlikely]]
            record(answer);
        next_ = answers_.front_or_any().at | mask_if(answers_.empty());
        return answer;
    }
    // What has not come: answers to requests, known of or not, and room for those that were refused it. Writes that
    // nobody waits for are not counted.
    [[nodiscard]] unsigned outstanding() const {
        return outstanding_ + static_cast<unsigned>(waiting_.size()) + (refused_ ? 1 : 0);
    }

    // For the network, at the end of a window: what left in it, in order of time. Answers have to come in order of
    // time.
    [[nodiscard]] std::vector<mem::Request>& departed() {
        return departed_;
    }
    void deliver(const mem::Reply& reply) {
        outstanding_ -= reply.requester == mem::Requester::Probe ? 0 : 1;
        push(reply);
    }
    // From cycle `now` on the network has room for so many flits of this SM.
    void set_room(std::int64_t flits, Cycle now) {
        flits_left_ = flits;
        if (flits > 0 && (refused_ || !waiting_.empty())) [[unlikely]]
            go_on(now);
    }

    void add_statistics(stats::Tree& tree);

    // Is told of requests and answers; null: nobody records.
    probe::Timeline* timeline = nullptr;

private:
    // What an access that misses is for the next level: a store's line is read too.
    [[nodiscard]] static mem::AccessKind fetching(mem::CacheAccess access) {
        return access.kind == mem::AccessKind::Store ? mem::AccessKind::Load : access.kind;
    }
    [[gnu::noinline]] void send(const mem::Request& request);
    void record(const mem::Request& request);
    void record(const mem::Reply& answer);
    void depart(const mem::Request& request);
    [[gnu::noinline]] void go_on(Cycle now);
    void push(const mem::Reply& answer) {
        if (answers_.empty())
            next_ = answer.at;
        answers_.push(answer);
    }

    mem::PacketSize packets_;
    std::optional<mem::Dram> direct_; // without an interconnect
    RingQueue<mem::Reply> answers_;
    Cycle next_ = kNever; // asked for every cycle
    RingQueue<mem::Request> waiting_;
    std::vector<mem::Request> departed_;
    std::int64_t flits_left_ = 0; // a packet may overdraw it: it waits in the link until the buffer has room
    unsigned outstanding_ = 0;
    bool refused_ = false;
};

} // namespace heddle::sm

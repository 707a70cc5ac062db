// An SM's port to memory. On a machine without an interconnect, requests go straight to DRAM, which computes the cycle
// of its answer at once. Else requests leave for the network while its input buffer has room, and answers are delivered
// at the end of a window of cycles.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/ring_queue.h"
#include "base/select.h"
#include "config/parameter.h"
#include "mem/cache/tags.h"
#include "mem/dram/dram.h"
#include "mem/network/config.h"
#include "mem/request.h"
#include "probe/timeline.h"
#include "stats/tree.h"

namespace heddle::sm {

class MemoryPort {
public:
    explicit MemoryPort(const config::Machine& machine);

    // Requests a line, for an access or a prefetch. `access` has an address in the line.
    void read(mem::CacheAccess access, std::uint64_t bytes, mem::Requester requester, std::uint32_t id, Cycle now) {
        send({.address = access.address,
              .sent = now,
              .id = id,
              .bytes = static_cast<std::uint16_t>(bytes),
              .kind = fetching(access),
              .requester = requester,
              .pc = access.pc});
    }
    // Writes to a line. `carried`: bytes that the packet takes for the data. With `requester` None there is no answer.
    void write(mem::CacheAccess access, std::uint64_t bytes, std::uint64_t carried, mem::Requester requester,
               std::uint32_t id, Cycle now) {
        send({.address = access.address,
              .sent = now,
              .id = id,
              .bytes = static_cast<std::uint16_t>(bytes),
              .carried = static_cast<std::uint16_t>(carried),
              .kind = access.kind,
              .requester = requester,
              .pc = access.pc});
    }
    // Writes a dirty line back that leaves its cache.
    void write_back(Address address, std::uint64_t bytes, mem::Requester requester, std::uint32_t id, Cycle now) {
        write({.address = address, .kind = mem::AccessKind::WriteBack}, bytes, bytes, requester, id, now);
    }
    void write_back(const mem::Victim& victim, std::uint64_t bytes, mem::Requester requester, std::uint32_t id,
                    Cycle now) {
        write_back(mem::with_sectors(victim.address, victim.sectors), bytes, requester, id, now);
    }
    // An atomic operation on a line of `bytes`. `carried`: as for write(); `operations`: the most on one word.
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

    // A coherent data cache (docs/coherence.md) requests a line, or the permission to write one.
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
    // A coherent data cache sends a message about a line that has no answer, with the line's data if they are dirty.
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

    // Whether a request that is not urgent may be sent. After a refusal, an answer Requester::Credit comes when the
    // network has room again. (Write-backs are urgent, because the line has left its cache: they wait in the port.
    // Messages of a coherent cache without an answer are urgent too, and so is the upgrade that follows a request of
    // the cache.)
    [[nodiscard]] bool has_room() {
        if (direct_ || (waiting_.empty() && flits_left_ > 0))
            return true;
        refused_ = true;
        return false;
    }

    // Whether a request without data may be sent, and another one after it. A refusal is not followed by a Credit: this
    // is for prefetches, which are dropped.
    [[nodiscard]] bool has_room_to_spare() const {
        return direct_ || (waiting_.empty() && flits_left_ > packets_.flits(0));
    }

    // The cycle of the next answer; kNever while no cycle is known.
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
    // Answers that have not come (with or without a known cycle), and a Credit that has not come. Writes without an
    // answer do not count.
    [[nodiscard]] unsigned outstanding() const {
        return outstanding_ + static_cast<unsigned>(waiting_.size()) + (refused_ ? 1 : 0);
    }

    // The requests that left in a window, in order of time: the network takes them at the end of the window. Answers
    // have to be delivered in order of time.
    [[nodiscard]] std::vector<mem::Request>& departed() {
        return departed_;
    }
    void deliver(const mem::Reply& reply) {
        outstanding_ -= reply.requester == mem::Requester::Probe ? 0 : 1;
        push(reply);
    }
    // From cycle `now` on the network has room for `flits` flits of this SM.
    void set_room(std::int64_t flits, Cycle now) {
        flits_left_ = flits;
        if (flits > 0 && (refused_ || !waiting_.empty())) [[unlikely]]
            go_on(now);
    }

    void add_statistics(stats::Tree& tree);

    // Records requests and answers; null: nothing is recorded.
    probe::Timeline* timeline = nullptr;

private:
    // The kind of an access to the next level after a miss: a store reads its line.
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
    // An answer that may come before some that are known already.
    void push_sorted(const mem::Reply& answer) {
        answers_.push_sorted(answer, [](const mem::Reply& a, const mem::Reply& b) { return a.at < b.at; });
        next_ = answers_.front().at;
    }

    mem::PacketSize packets_;
    std::optional<mem::Dram> direct_; // null: the machine has an interconnect
    RingQueue<mem::Reply> answers_;
    Cycle next_ = kNever; // a single number, because it is read every cycle
    RingQueue<mem::Request> waiting_;
    std::vector<mem::Request> departed_;
    std::int64_t flits_left_ = 0; // may fall below 0: a packet waits in the link until the buffer has room
    unsigned outstanding_ = 0;
    bool refused_ = false;
};

} // namespace heddle::sm

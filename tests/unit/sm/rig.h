// Small fakes for the parts of an SM: a memory that answers when the test says, and accesses written by hand.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sm/load_store/load_store_unit.h"
#include "stats/snapshot.h"
#include "stats/tree.h"

namespace heddle::sm::test {

using warp::FlightId;

// Defaults, and a network that takes all requests: they stay in the SM's port until the test answers them.
inline config::Machine machine_of(const std::vector<std::string>& settings) {
    std::vector<std::string> all{"interconnect.kind=crossbar", "interconnect.input_flits=1048576"};
    all.insert(all.end(), settings.begin(), settings.end());
    return config::Machine::defaults(all);
}

// The requests to memory since the last call, in order.
inline std::vector<mem::Request> asked(MemoryPort& port) {
    return std::exchange(port.departed(), {});
}
inline mem::Reply reply_to(const mem::Request& request, Cycle at = 0, mem::Level level = mem::Level::Dram) {
    return {.at = at, .requester = request.requester, .level = level, .id = request.id};
}

inline const ir::MicroOp& op_of(ir::Kind kind) {
    static std::map<ir::Kind, ir::MicroOp> ops;
    ops[kind].kind = kind;
    return ops[kind];
}

// What a thread's address lies in.
enum class In : std::uint8_t { Global, Shared, Local, Constant };

// Threads of a row, from lane 0 on, access these addresses, `bytes` each.
inline exec::Access access_of(In in, std::initializer_list<Address> addresses, unsigned bytes = 4, RowId row = 0) {
    exec::Access out;
    out.bytes = static_cast<std::uint8_t>(bytes);
    for (const Address address : addresses) {
        out.address[out.count] = address;
        out.row[out.count] = row;
        out.lane[out.count] = static_cast<std::uint8_t>(out.count);
        ++out.count;
    }
    (in == In::Global   ? out.global
     : in == In::Shared ? out.shared
     : in == In::Local  ? out.local
                        : out.constant) = first_lanes(out.count);
    return out;
}
inline exec::Access store_of(In in, std::initializer_list<Address> addresses, unsigned bytes = 4, RowId row = 0) {
    exec::Access out = access_of(in, addresses, bytes, row);
    out.store = true;
    return out;
}
inline exec::Access atomic_of(In in, std::initializer_list<Address> addresses, unsigned bytes = 4, RowId row = 0) {
    exec::Access out = access_of(in, addresses, bytes, row);
    out.atomic = true;
    return out;
}

// The flight carries an instruction of this kind by the first threads of a row.
inline void set_group(warp::Flight& flight, ir::Kind kind, unsigned threads, RowId row = 0) {
    flight.op = &op_of(kind);
    flight.lines_left = 0;
    flight.outcome.executed = static_cast<std::uint16_t>(threads);
    flight.group.parts = 1;
    flight.group.threads = flight.outcome.executed;
    flight.group.part[0] = {row, first_lanes(threads)};
}

// A load/store unit and its flights, over a memory that the test plays.
struct UnitRig {
    using Step = LoadStoreUnit::Step;

    explicit UnitRig(const std::vector<std::string>& settings = {}, bool holds = false)
        : machine(machine_of(settings)), port(machine), flights(16), unit(machine, 0, port, flights, holds) {
        for (std::size_t f = 0; f < flights.capacity(); ++f)
            flights.use(f).id = static_cast<FlightId>(f);
    }

    // Flight f executes the access; the kind of its instruction follows from it.
    void prepare(FlightId f, const exec::Access& access) {
        prepare(f, access.atomic ? ir::Kind::Atomic : access.store ? ir::Kind::Store : ir::Kind::Load, access);
    }
    void prepare(FlightId f, ir::Kind kind, const exec::Access& access) {
        set_group(flights[f], kind, access.count, access.row[0]);
        unit.prepare(flights[f], access);
    }
    void prepare_fence(FlightId f, RowId row = 0) {
        set_group(flights[f], ir::Kind::Fence, 32, row);
        unit.prepare_fence(flights[f]);
    }
    Step step(FlightId f, Cycle now) {
        return unit.step(f, now);
    }
    // The flight is in the unit from cycle `now` on: its last cycle there.
    Cycle serve(FlightId f, Cycle now) {
        while (step(f, now) != Step::Done)
            ++now;
        return now;
    }
    // Memory answers a request: the flights that wait for nothing more. Whether a held access is worth another try is
    // in goes_on.
    std::vector<FlightId> answer(const mem::Request& request, Cycle at, mem::Level level = mem::Level::Dram) {
        return answer(reply_to(request, at, level));
    }
    std::vector<FlightId> answer(const mem::Reply& reply) {
        std::vector<FlightId> ready;
        goes_on = unit.answer(reply, reply.at, ready);
        return ready;
    }
    // The line of an address comes into the data cache, beforehand.
    void bring(Address address) {
        prepare(15, access_of(In::Global, {address}));
        serve(15, 0);
        answer(asked(port).at(0), 0);
    }
    std::uint64_t counter(const std::string& section, const std::string& name) {
        stats::Tree tree;
        unit.add_statistics(tree);
        return tree.snapshot().counter(section + "." + name);
    }

    config::Machine machine;
    MemoryPort port;
    SlotArray<warp::Flight> flights;
    LoadStoreUnit unit;
    bool goes_on = false;
};

} // namespace heddle::sm::test

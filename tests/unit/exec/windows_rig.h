// A bench for several SMs over one image.
#pragma once

#include <memory>
#include <vector>

#include "rig.h"

namespace heddle::exec::test {

class Windows : public Rig {
protected:
    void start_sms(unsigned n, unsigned width, Dim3 block) {
        start(width, block);
        launch.sms = n;
        for (unsigned sm = 0; sm < n; ++sm) {
            executor = std::make_unique<Executor>(image, sm, Effects::Windowed);
            executor->bind(program);
            begin();
            in_order.push_back(executor.get());
            resting.push_back(std::move(executor));
        }
        on(0);
    }
    void begin() {
        executor->begin(launch);
        executor->start_block(0, {0, 0, 0}, 0);
    }
    // The SM that run(), get() and set() speak of from here on.
    void on(unsigned sm) {
        if (executor != nullptr)
            resting[current] = std::move(executor);
        executor = std::move(resting[sm]);
        current = sm;
    }
    void at(unsigned sm, Cycle now, const Group& g) {
        on(sm);
        run(g, now);
    }
    // One thread of an SM stores v in the word at `to`, with an instruction of base rd(0) and data r(0).
    void put(unsigned sm, Cycle now, Pc pc, Address to, std::uint32_t v, unsigned thread = 0) {
        on(sm);
        set64(rd(0), thread, to);
        set(r(0), thread, v);
        run(group(pc, thread, thread + 1), now);
    }
    void apply() {
        apply_window(in_order);
    }

    std::vector<Executor*> in_order;

private:
    std::vector<std::unique_ptr<Executor>> resting;
    unsigned current = 0;
};

} // namespace heddle::exec::test

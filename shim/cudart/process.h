// The ends of a simulated program: its results are written when the process exits, whatever the reason, and Ctrl-C
// stops the simulation before it stops the program.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/device.h"

namespace heddle::cudart {

// Exit statuses of a program that heddle itself ends.
inline constexpr int kExitBadMachine = 2;
inline constexpr int kExitLimit = 3;
inline constexpr int kExitInterrupted = 130; // as a shell reports SIGINT

// Where what a device has found goes when the process exits; nowhere when empty.
struct ResultFiles {
    std::string result, timeline, thread_traces;
};

// From now on the device's results are written at exit, and SIGINT interrupts it, unless the program handles or ignores
// SIGINT itself.
void watch_process(runtime::Device& device, ResultFiles files);

// Prints why a launch stopped and exits; returns when it did not stop.
void exit_if_stopped(runtime::Stop stop);

// A line on the terminal about a simulation that takes long.
void show_progress(Cycle cycles, std::uint64_t warp_instructions);
void clear_progress();

} // namespace heddle::cudart

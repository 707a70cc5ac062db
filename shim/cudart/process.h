// The ends of a simulated program: its results are written when the process exits, whatever the reason. Ctrl-C and the
// SIGTERM of a batch system stop the simulation before they stop the program.
#pragma once

#include <cstdint>

#include "results.h"
#include "runtime/device.h"

namespace heddle::cudart {

// Exit statuses of a program that heddle itself ends.
inline constexpr int kExitBadMachine = 2;
inline constexpr int kExitLimit = 3;
inline constexpr int kExitNoMemory = 4;

// From now on this process ends when process `heddle` ends, however that happens; 0: no such process. Throws UserError
// when it has ended.
void end_with(pid_t heddle);

// From now on the device's results are written at exit, and SIGINT, SIGTERM and SIGHUP interrupt it, each unless the
// program handles or ignores it itself.
void watch_process(runtime::Device& device, Results& results);

// Prints why a launch stopped and exits; returns when it did not stop.
void exit_if_stopped(runtime::Stop stop);

// A line on the terminal about a simulation that takes long.
void show_progress(const runtime::Progress&);
void clear_progress();

} // namespace heddle::cudart

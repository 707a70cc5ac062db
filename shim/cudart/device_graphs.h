// Graphs that device code launches (cudaGraphInstantiateFlagDeviceLaunch).
#pragma once

#include "graph_executables.h"
#include "runtime/graph_launcher.h"

namespace heddle::cudart {

// Executes the plan of a graph, and then what device code has left for its end (cudaStreamGraphTailLaunch), one graph
// after the other.
cudaError_t perform_graph(cudaGraphExec_t exec, const Plan& plan);

[[nodiscard]] runtime::GraphLauncher& graph_launcher();

} // namespace heddle::cudart

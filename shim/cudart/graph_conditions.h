// The tasks of conditional nodes.
#pragma once

#include "graph_tasks.h"

namespace heddle::cudart {

// `what` gets the bodies.
cudaError_t describe_branch(Task& task, cudaConditionalNodeParams* what);

} // namespace heddle::cudart

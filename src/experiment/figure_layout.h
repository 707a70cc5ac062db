// The frame of an experiment's figure, with the values of its grids: relative, reduced, with means and spreads.
#pragma once

#include <vector>

#include "experiment/experiment.h"
#include "experiment/grid.h"
#include "report/figure.h"

namespace heddle::experiment {

// A grid for each seed, at least one. All arithmetic is done for each seed alone; a cell is then the mean over the
// seeds, with its spread. A cell that a seed has no value for has none.
[[nodiscard]] report::Figure figure_of(const Experiment&, std::vector<Grid>);

} // namespace heddle::experiment

// async_copies.cu on a chip whose copies are done at once, and whose barriers are atomic operations.
// ENV: HEDDLE_MACHINE=rtx2060
// EXPECT: no error
// EXPECT: tiles 130816
// EXPECT: filled 1 2 3 0
// EXPECT: barrier 2016 2016, most 16383
// EXPECT: dropped 31 1
// EXPECT: classes 5 7 0 0, batches 0 1
// EXPECT: groups 496 120, with a pipeline 496 830
#include "async_copies.cu"

// wide_tiles.cu on a chip whose tiles meet in memory that the system reserves.
// ARCH: 80
// EXPECT: tiles of 64: 0 of 1024 wrong
// EXPECT: tiles of 128: 0 of 1024 wrong
// EXPECT: tiles of 256: 0 of 1024 wrong
// EXPECT: tiles of 512: 0 of 1024 wrong
// EXPECT: tiles of 1024: 0 of 1024 wrong
// EXPECT: no error
#include "wide_tiles.cu"

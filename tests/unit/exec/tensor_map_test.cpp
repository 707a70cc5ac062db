#include <vector>

#include <gtest/gtest.h>

#include "exec/tensor_map.h"

namespace heddle::exec::test {
namespace {

using BoxPlace = std::array<std::int32_t, TensorMap::kMostDimensions>;
using PixelOffsets = std::array<std::uint16_t, 3>;

constexpr Address kTensor = 0x10000;

// A tensor without gaps: the stride of a dimension is the bytes of all elements in those before it.
TensorMap dense(const std::vector<std::uint32_t>& size, unsigned element_bytes) {
    TensorMap map;
    map.rank = static_cast<std::uint8_t>(size.size());
    map.element_bytes = static_cast<std::uint8_t>(element_bytes);
    map.begin = kTensor;
    map.step.fill(1);
    std::uint64_t bytes = element_bytes;
    for (std::size_t d = 0; d < size.size(); ++d) {
        map.size[d] = size[d] - 1;
        if (d != 0)
            map.stride[d - 1] = bytes;
        bytes *= size[d];
    }
    return map;
}

TensorMap tiles(const std::vector<std::uint32_t>& size, unsigned element_bytes, const std::vector<std::uint16_t>& box) {
    TensorMap map = dense(size, element_bytes);
    std::copy(box.begin(), box.end(), map.box.begin());
    return map;
}

TensorMap columns(const std::vector<std::uint32_t>& size, unsigned element_bytes, std::uint16_t channels,
                  std::uint16_t pixels) {
    TensorMap map = dense(size, element_bytes);
    map.im2col = 1;
    map.box[0] = channels;
    map.box[1] = pixels;
    return map;
}

// The address of each element of a box, in the order in shared memory; 0: outside the tensor. Runs have to follow each
// other without gaps, none of them empty.
std::vector<Address> addresses(const TensorMap& map, BoxPlace at, PixelOffsets offsets = {}) {
    std::vector<Address> all;
    TensorRows rows(map, at, offsets);
    std::array<TensorRun, 3> runs{};
    unsigned count = 0, number = 0;
    for (; rows.next(runs, count); ++number)
        for (unsigned i = 0; i < count; ++i) {
            EXPECT_EQ(runs[i].offset, all.size() * map.element_bytes);
            EXPECT_GT(runs[i].bytes, 0U);
            for (unsigned b = 0; b < runs[i].bytes; b += map.element_bytes)
                all.push_back(runs[i].address == 0 ? 0 : runs[i].address + b);
        }
    EXPECT_EQ(number, map.rows());
    EXPECT_EQ(map.box_bytes(), all.size() * map.element_bytes);
    EXPECT_FALSE(rows.next(runs, count)) << "a row behind the last one";
    return all;
}

// The address of one element of a tensor without gaps, or 0.
Address element(const std::vector<std::uint32_t>& size, unsigned element_bytes, const std::vector<std::int64_t>& at) {
    std::uint64_t index = 0;
    for (std::size_t d = size.size(); d-- > 0;) {
        if (at[d] < 0 || at[d] >= size[d])
            return 0;
        index = index * size[d] + static_cast<std::uint64_t>(at[d]);
    }
    return kTensor + index * element_bytes;
}

// The elements of a tile, the first dimension fastest: in dimension d every step[d]-th of box[d] elements.
std::vector<Address> tile_by_elements(const std::vector<std::uint32_t>& size, unsigned element_bytes,
                                      const std::vector<std::uint16_t>& box, const std::vector<unsigned>& step,
                                      const BoxPlace& at) {
    std::vector<Address> all;
    std::vector<std::int64_t> in(size.size(), 0);
    for (std::size_t d = 0; d < size.size();) {
        std::vector<std::int64_t> place = in;
        for (std::size_t k = 0; k < size.size(); ++k)
            place[k] += at[k];
        all.push_back(element(size, element_bytes, place));
        for (d = 0; d < size.size(); in[d++] = 0)
            if ((in[d] += step[d]) < box[d])
                break;
    }
    return all;
}

// The pixels of a column. The pixels of all boxes of all images are numbered, the innermost dimension fastest; those of
// a column are consecutive from that at the coordinates on.
std::vector<Address> column_by_pixels(const TensorMap& map, const std::vector<std::uint32_t>& size, const BoxPlace& at,
                                      const PixelOffsets& offsets) {
    const std::size_t spatial = size.size() - 2;
    std::vector<std::int64_t> positions(spatial); // of a box of pixels, in each dimension
    std::int64_t first = at[spatial + 1];
    for (std::size_t d = spatial; d-- > 0;) {
        const std::int64_t step = map.step[d + 1];
        positions[d] = (std::int64_t{size[d + 1]} - 1 + map.upper[d] - map.lower[d]) / step + 1;
        first = first * positions[d] + (at[d + 1] - map.lower[d]) / step;
    }
    std::vector<Address> all;
    for (std::int64_t pixel = first; pixel < first + map.box[1]; ++pixel)
        for (std::int64_t channel = 0; channel < map.box[0]; ++channel) {
            std::vector<std::int64_t> place(size.size());
            place[0] = at[0] + channel;
            std::int64_t rest = pixel;
            for (std::size_t d = 0; d < spatial; ++d) {
                place[d + 1] = map.lower[d] + rest % positions[d] * map.step[d + 1] + offsets[d];
                rest /= positions[d];
            }
            place[spatial + 1] = rest;
            all.push_back(element(size, map.element_bytes, place));
        }
    return all;
}

// Six elements of 4 bytes; a box of 4 at -1 has its first element before the tensor, one at 4 its last two behind it.
TEST(TensorRows, OneDimensionWithPartsOutside) {
    const TensorMap map = tiles({6}, 4, {4});
    EXPECT_EQ(map.rows(), 1U);
    EXPECT_EQ(map.row_bytes(), 16U);
    EXPECT_EQ(addresses(map, {-1}), (std::vector<Address>{0, kTensor, kTensor + 4, kTensor + 8}));
    EXPECT_EQ(addresses(map, {2}), (std::vector<Address>{kTensor + 8, kTensor + 12, kTensor + 16, kTensor + 20}));
    EXPECT_EQ(addresses(map, {4}), (std::vector<Address>{kTensor + 16, kTensor + 20, 0, 0}));
    EXPECT_EQ(addresses(map, {6}), (std::vector<Address>(4, 0)));
    EXPECT_EQ(addresses(map, {-4}), (std::vector<Address>(4, 0)));
    EXPECT_EQ(addresses(map, {INT32_MIN}), (std::vector<Address>(4, 0)));
    EXPECT_EQ(addresses(map, {INT32_MAX}), (std::vector<Address>(4, 0)));
}

// A box wider than the tensor has parts outside on both sides of a row: three runs.
TEST(TensorRows, ARowHasUpToThreeRuns) {
    const TensorMap map = tiles({3}, 2, {8});
    TensorRows rows(map, {-2}, {});
    std::array<TensorRun, 3> runs{};
    unsigned count = 0;
    ASSERT_TRUE(rows.next(runs, count));
    ASSERT_EQ(count, 3U);
    const auto is = [](const TensorRun& run, std::uint32_t offset, std::uint32_t bytes, Address address) {
        return run.offset == offset && run.bytes == bytes && run.address == address;
    };
    EXPECT_TRUE(is(runs[0], 0, 4, 0));
    EXPECT_TRUE(is(runs[1], 4, 6, kTensor));
    EXPECT_TRUE(is(runs[2], 10, 6, 0));
    EXPECT_FALSE(rows.next(runs, count));
}

// Rows of 4 elements of 2 bytes lie 32 bytes apart, so there are gaps between them.
TEST(TensorRows, StridesAreThoseOfTheMap) {
    TensorMap map = tiles({4, 3}, 2, {2, 2});
    map.stride[0] = 32;
    EXPECT_EQ(map.box_bytes(), 8U);
    EXPECT_EQ(addresses(map, {1, 1}), (std::vector<Address>{kTensor + 34, kTensor + 36, kTensor + 66, kTensor + 68}));
    EXPECT_EQ(addresses(map, {3, 2}), (std::vector<Address>{kTensor + 70, 0, 0, 0}));
    EXPECT_EQ(addresses(map, {-1, -1}), (std::vector<Address>{0, 0, 0, kTensor}));
}

// Every third of 5 rows: two, from the coordinate on. The stride of the first dimension has no effect.
TEST(TensorRows, ElementStridesLeaveRowsOut) {
    TensorMap map = tiles({4, 8}, 4, {4, 5});
    map.step = {2, 3, 1, 1, 1};
    EXPECT_EQ(map.rows(), 2U);
    EXPECT_EQ(map.row_bytes(), 16U);
    EXPECT_EQ(map.box_bytes(), 32U);
    EXPECT_EQ(addresses(map, {0, 1}), (std::vector<Address>{kTensor + 16, kTensor + 20, kTensor + 24, kTensor + 28,
                                                            kTensor + 64, kTensor + 68, kTensor + 72, kTensor + 76}));
}

// Boxes at coordinates before, in and behind a tensor in each dimension.
TEST(TensorRows, TilesOfRankOneToFive) {
    const std::vector<std::uint32_t> sizes{5, 4, 3, 2, 3};
    const std::vector<std::uint16_t> boxes{4, 3, 2, 3, 2};
    const std::vector<unsigned> steps{1, 2, 1, 2, 1};
    for (std::ptrdiff_t rank = 1; rank <= std::ssize(sizes); ++rank)
        for (const bool strided : {false, true}) {
            const std::vector<std::uint32_t> size(sizes.begin(), sizes.begin() + rank);
            const std::vector<std::uint16_t> box(boxes.begin(), boxes.begin() + rank);
            std::vector<unsigned> step(static_cast<std::size_t>(rank), 1);
            if (strided)
                step.assign(steps.begin(), steps.begin() + rank);
            TensorMap map = tiles(size, 8, box);
            std::copy(step.begin(), step.end(), map.step.begin());
            for (std::size_t d = 0; d < size.size(); ++d)
                for (const std::int32_t shift : {-5, -2, -1, 0, 1, 3, 6}) {
                    BoxPlace at{};
                    at[d] = shift;
                    EXPECT_EQ(addresses(map, at), tile_by_elements(size, 8, box, step, at))
                        << "rank " << rank << ", dimension " << d << ", coordinate " << shift;
                }
        }
}

TEST(TensorRows, TilesAtCornersOfTheTensor) {
    const std::vector<std::uint32_t> size{5, 4, 3, 2, 3};
    const std::vector<std::uint16_t> box{3, 2, 2, 2, 2};
    const TensorMap map = tiles(size, 1, box);
    for (unsigned corner = 0; corner < 32; ++corner) {
        BoxPlace at{};
        for (unsigned d = 0; d < 5; ++d)
            at[d] = (corner >> d & 1) != 0 ? static_cast<std::int32_t>(size[d]) - 1 : -1;
        EXPECT_EQ(addresses(map, at), tile_by_elements(size, 1, box, {1, 1, 1, 1, 1}, at)) << "corner " << corner;
    }
}

// Two images of 4 pixels of one channel of 4 bytes. The box of pixels is from -1 to 2: lower -1, upper -1. A column of
// 6 from pixel 1 on: 1, 2; of the next image -1 (outside), 0, 1, 2.
TEST(TensorRows, AColumnGoesOnInTheNextImage) {
    TensorMap map = columns({1, 4, 2}, 4, 1, 6);
    map.lower[0] = -1;
    map.upper[0] = -1;
    EXPECT_EQ(map.rows(), 6U);
    EXPECT_EQ(map.box_bytes(), 24U);
    EXPECT_EQ(addresses(map, {0, 1, 0}),
              (std::vector<Address>{kTensor + 4, kTensor + 8, 0, kTensor + 16, kTensor + 20, kTensor + 24}));
    // An offset of 1 moves every pixel, but not the box: 2, 3; 0, 1, 2, 3.
    EXPECT_EQ(addresses(map, {0, 1, 0}, {1}), (std::vector<Address>{kTensor + 8, kTensor + 12, kTensor + 16,
                                                                    kTensor + 20, kTensor + 24, kTensor + 28}));
    // Behind the last image all is outside: 2 pixels of image 1, then 4 outside.
    EXPECT_EQ(addresses(map, {0, 1, 1}), (std::vector<Address>{kTensor + 20, kTensor + 24, 0, 0, 0, 0}));
}

// An image of 3 x 3 pixels, the box of pixels from 0 to 1 in both dimensions: a 2 x 2 filter without padding. The
// column from pixel (1, 0) on is (1, 0), (0, 1), (1, 1); the offsets (1, 1) are those of the filter's last element.
TEST(TensorRows, AColumnGoesOnInTheNextLine) {
    TensorMap map = columns({2, 3, 3, 1}, 2, 2, 3);
    map.upper = {-1, -1, 0};
    const auto pixel = [](unsigned x, unsigned y) { return kTensor + Address{4} * (x + 3 * y); };
    const auto channels = [](std::initializer_list<Address> pixels) {
        std::vector<Address> all;
        for (const Address p : pixels) {
            all.push_back(p);
            all.push_back(p + 2);
        }
        return all;
    };
    EXPECT_EQ(addresses(map, {0, 1, 0, 0}), channels({pixel(1, 0), pixel(0, 1), pixel(1, 1)}));
    EXPECT_EQ(addresses(map, {0, 1, 0, 0}, {1, 1}), channels({pixel(2, 1), pixel(1, 2), pixel(2, 2)}));
}

// Channels before and behind those of a pixel are outside, in pixels that are inside.
TEST(TensorRows, ChannelsOfAColumnOutside) {
    TensorMap map = columns({3, 2, 1}, 1, 4, 2);
    EXPECT_EQ(addresses(map, {-1, 0, 0}), (std::vector<Address>{0, kTensor, kTensor + 1, kTensor + 2, //
                                                                0, kTensor + 3, kTensor + 4, kTensor + 5}));
    EXPECT_EQ(addresses(map, {2, 0, 0}), (std::vector<Address>{kTensor + 2, 0, 0, 0, kTensor + 5, 0, 0, 0}));
}

// Columns that begin at every pixel of the box, in all images, long enough to pass two lines and an image.
TEST(TensorRows, ColumnsOfRankThreeToFive) {
    const std::vector<std::vector<std::uint32_t>> tensors{{3, 5, 3}, {3, 5, 4, 3}, {3, 5, 4, 3, 3}};
    for (const std::vector<std::uint32_t>& size : tensors)
        for (const unsigned step : {1U, 2U}) {
            TensorMap map = columns(size, 4, 2, 23);
            for (std::size_t d = 1; d + 1 < size.size(); ++d)
                map.step[d] = static_cast<std::uint8_t>(step);
            map.lower = {-1, -2, 0};
            map.upper = {1, -1, -1};
            for (std::int32_t image = 0; image < 3; ++image)
                for (std::int32_t along = 0; along < 3; ++along) {
                    const auto moved = along * static_cast<std::int32_t>(step);
                    BoxPlace at{1, map.lower[0] + moved};
                    if (size.size() > 3)
                        at[2] = map.lower[1] + (along == 2 ? static_cast<std::int32_t>(step) : 0);
                    if (size.size() > 4)
                        at[3] = map.lower[2];
                    at[size.size() - 1] = image;
                    for (const PixelOffsets& offsets : {PixelOffsets{}, PixelOffsets{2, 1, 1}})
                        EXPECT_EQ(addresses(map, at, offsets), column_by_pixels(map, size, at, offsets))
                            << "rank " << size.size() << ", step " << step << ", image " << image << ", pixel "
                            << along;
                }
        }
}

// A program may write over the bytes of a map.
// Four rows by their numbers: one that is outside, one twice, columns beyond the end.
TEST(TensorRows, RowsByTheirNumbers) {
    TensorMap map = tiles({6, 10}, 4, {4, TensorRows::kGathered});
    TensorRows rows(map, {3, 7, -1, 0, 7}, {}, true);
    std::array<TensorRun, 3> runs{};
    unsigned count = 0;
    std::vector<std::vector<Address>> found;
    for (unsigned number = 0; rows.next(runs, count); ++number) {
        found.emplace_back();
        unsigned offset = number * 16;
        for (unsigned i = 0; i < count; ++i) {
            EXPECT_EQ(runs[i].offset, offset);
            offset += runs[i].bytes;
            found.back().push_back(runs[i].address);
            found.back().push_back(runs[i].bytes);
        }
    }
    const std::vector<Address> row7{kTensor + (7 * 6 + 3) * 4, 12, 0, 4}, row0{kTensor + 3 * 4, 12, 0, 4};
    EXPECT_EQ(found, (std::vector<std::vector<Address>>{row7, {0, 16}, row0, row7}));
}

TEST(TensorMaps, FieldsThatNoMapHas) {
    const TensorMap good = tiles({4, 4}, 4, {4, 4});
    EXPECT_TRUE(good.is_valid());
    const auto changed = [&](auto&& change) {
        TensorMap map = good;
        change(map);
        return map.is_valid();
    };
    EXPECT_FALSE(changed([](TensorMap& map) { map.magic = 0; }));
    EXPECT_FALSE(changed([](TensorMap& map) { map.rank = 0; }));
    EXPECT_FALSE(changed([](TensorMap& map) { map.rank = 6; }));
    EXPECT_FALSE(changed([](TensorMap& map) { map.element_bytes = 3; }));
    EXPECT_FALSE(changed([](TensorMap& map) { map.step[1] = 0; }));
    EXPECT_FALSE(changed([](TensorMap& map) { map.im2col = 1; })); // of two dimensions
    EXPECT_FALSE(changed([](TensorMap& map) { map.fills_nan = 2; }));
    EXPECT_FALSE(changed([](TensorMap& map) { map.box[0] = 0; })); // it would have rows without end, and no bytes
    EXPECT_FALSE(changed([](TensorMap& map) { map.box[1] = 257; }));
    EXPECT_FALSE(changed([](TensorMap& map) { // of three dimensions
        map.rank = 3;
        map.im2col = 2;
    }));
}

// Five dimensions of 256 elements: more than 32 bits count.
TEST(TensorMaps, BytesOfALargeBox) {
    const TensorMap map = tiles({256, 256, 256, 256, 256}, 4, {256, 256, 256, 256, 256});
    EXPECT_EQ(map.box_bytes(), std::uint64_t{1} << 42);
}

} // namespace
} // namespace heddle::exec::test

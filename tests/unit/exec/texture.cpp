// Where texels lie, which of them a fetch reads and what they weigh, and what handles are. Values are worked out by
// hand from the definitions in the CUDA programming guide; PTX cases hold what instructions give.
#include <bit>
#include <cmath>

#include <gmock/gmock.h>

#include "exec/cube.h"
#include "exec/footprint.h"
#include "rig.h"

namespace heddle::exec::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using Layout = TexelArray::Layout;
using Outside = Sampler::Outside;

constexpr TexelFormat kFloat{TexelFormat::Kind::Float, 32, 1};

TEST(TexelArrays, HaveTilesOf64BytesAndEightRows) {
    TexelArray a = TexelArray::tiled(kFloat, 20, 20, 3); // rows of 80 bytes take two tiles, 20 rows three bands of them
    a.begin = 0x1000;
    EXPECT_EQ(a.pitch, 128U);
    EXPECT_EQ(a.bytes(), 128U * 24 * 3);
    EXPECT_EQ(a.address_of(0, 0, 0), 0x1000U);
    EXPECT_EQ(a.address_of(60, 7, 0), 0x1000U + 7 * 64 + 60);
    EXPECT_EQ(a.address_of(64, 0, 0), 0x1000U + 512);
    EXPECT_EQ(a.address_of(0, 8, 0), 0x1000U + 1024);
    EXPECT_EQ(a.address_of(68, 9, 0), 0x1000U + 1024 + 512 + 64 + 4);
    EXPECT_EQ(a.address_of(0, 0, 1), 0x1000U + 3 * 1024);
}

TEST(TexelArrays, OfOneRowALayerHaveNone) {
    TexelArray a = TexelArray::tiled(kFloat, 20, 0, 4);
    a.begin = 0x1000;
    EXPECT_EQ(a.bytes(), 4U * 128);
    EXPECT_EQ(a.address_of(76, 0, 0), 0x1000U + 76);
    EXPECT_EQ(a.address_of(4, 0, 3), 0x1000U + 3 * 128 + 4);
}

TEST(TexelArrays, GiveRowsInPieces) {
    const auto pieces = [](const TexelArray& a, std::uint64_t x, std::uint64_t bytes) {
        std::vector<std::pair<Address, std::uint64_t>> out;
        a.for_each_piece(x, bytes, 1, 0, [&](Address at, std::uint64_t, std::uint64_t n) { out.emplace_back(at, n); });
        return out;
    };
    const TexelArray tiled = TexelArray::tiled(kFloat, 40, 2, 1);
    EXPECT_THAT(pieces(tiled, 60, 80), ElementsAre(Pair(64 + 60, 4), Pair(512 + 64, 64), Pair(1024 + 64, 12)));
    TexelArray pitched = tiled;
    pitched.layout = Layout::Pitch;
    pitched.pitch = 256;
    EXPECT_THAT(pieces(pitched, 60, 80), ElementsAre(Pair(256 + 60, 80)));
    EXPECT_EQ(pitched.bytes(), 256U + 160);
}

// A texture of one row whose texel i is at address 100 + 4 i.
Texture row_texture(std::uint32_t width, bool linear, Outside mode, bool normalised) {
    Texture out;
    out.texels.layout = Layout::Pitch;
    out.texels.format = kFloat;
    out.texels.begin = 100;
    out.texels.width = width;
    out.sampler.linear = linear;
    out.sampler.outside.fill(mode);
    out.sampler.normalised_coordinates = normalised;
    return out;
}

// "texel:weight" of each texel that counts; -1: the border.
std::vector<std::pair<int, double>> texels_at(const Texture& texture, float x) {
    Coordinates where;
    where.at[0] = x;
    const Footprint found = find_texels(texture, texture.sampler, where, {});
    std::vector<std::pair<int, double>> out;
    for (unsigned t = 0; t < found.count; ++t)
        out.emplace_back(found.texel[t].address == 0 ? -1 : static_cast<int>(found.texel[t].address - 100) / 4,
                         found.texel[t].weight);
    return out;
}

TEST(Fetches, OfThePointTakeTheTexelTheyAreIn) {
    const Texture t = row_texture(4, false, Outside::Clamp, false);
    EXPECT_THAT(texels_at(t, 1.99F), ElementsAre(Pair(1, 1.0)));
    EXPECT_THAT(texels_at(t, -0.01F), ElementsAre(Pair(0, 1.0)));
    EXPECT_THAT(texels_at(t, INFINITY), ElementsAre(Pair(3, 1.0)));
    EXPECT_THAT(texels_at(t, NAN), ElementsAre(Pair(0, 1.0)));
    EXPECT_THAT(texels_at(row_texture(4, false, Outside::Border, false), 4), ElementsAre(Pair(-1, 1.0)));
}

TEST(Fetches, WeighInSteps) {
    const Texture t = row_texture(4, true, Outside::Clamp, false);
    EXPECT_THAT(texels_at(t, 1.75F), ElementsAre(Pair(1, 0.75), Pair(2, 0.25)));
    EXPECT_THAT(texels_at(t, 1.5F + 3 / 512.0F), ElementsAre(Pair(1, 254 / 256.0), Pair(2, 2 / 256.0))); // 1.5 steps
    EXPECT_THAT(texels_at(t, 1.5F + 1 / 1024.0F), ElementsAre(Pair(1, 1.0), Pair(2, 0.0)));              // 0.25 steps
    EXPECT_THAT(texels_at(t, 2.5F - 1 / 1024.0F), ElementsAre(Pair(1, 0.0), Pair(2, 1.0))); // 255.75: all of a weight
}

TEST(Fetches, GoRoundOrBack) {
    const Texture wrap = row_texture(4, true, Outside::Wrap, true),
                  mirror = row_texture(4, true, Outside::Mirror, true);
    EXPECT_THAT(texels_at(wrap, 0), ElementsAre(Pair(3, 0.5), Pair(0, 0.5)));
    EXPECT_THAT(texels_at(mirror, 0), ElementsAre(Pair(0, 0.5), Pair(0, 0.5)));
    EXPECT_THAT(texels_at(wrap, 3.25F), ElementsAre(Pair(0, 0.5), Pair(1, 0.5)));
    EXPECT_THAT(texels_at(mirror, 1.25F), ElementsAre(Pair(3, 0.5), Pair(2, 0.5)));
    EXPECT_THAT(texels_at(mirror, -0.25F), ElementsAre(Pair(1, 0.5), Pair(0, 0.5)));
    EXPECT_THAT(texels_at(wrap, -1e9F), ElementsAre(Pair(3, 0.5), Pair(0, 0.5)));
}

TEST(Fetches, OfVolumesReadEightTexels) {
    Texture t;
    t.texels = TexelArray::tiled(kFloat, 2, 2, 2);
    t.sampler.linear = true;
    Coordinates where;
    where.at = {1.25F, 1, 0.75F};
    where.dimensions = 3;
    const Footprint found = find_texels(t, t.sampler, where, {});
    ASSERT_EQ(found.count, 8U);
    double sum = 0;
    for (unsigned i = 0; i < found.count; ++i)
        sum += found.texel[i].weight;
    EXPECT_EQ(sum, 1);
    EXPECT_EQ(found.texel[0].weight, 0.25 * 0.5 * 0.75);
    EXPECT_EQ(found.texel[7].weight, 0.75 * 0.5 * 0.25);
}

TEST(Levels, AreHalvesThatLieBehindEachOther) {
    TexelArray a = TexelArray::tiled(kFloat, 20, 9, 3);
    a.begin = 0x1000;
    const TexelArray volume = a.next_level(false), layers = a.next_level(true);
    EXPECT_EQ(volume.begin, a.begin + a.bytes());
    EXPECT_THAT((std::array{volume.width, volume.height, volume.depth}), ElementsAre(10, 4, 1));
    EXPECT_THAT((std::array{layers.width, layers.height, layers.depth}), ElementsAre(10, 4, 3));
    EXPECT_EQ(volume.next_level(false).next_level(false).next_level(false).width, 1U);
}

TEST(Levels, AreChosenByTheSampler) {
    Texture t;
    t.smaller.resize(2);
    t.sampler.most_level = 2;
    const auto nearest = [&](float detail) { return choose_levels(t, t.sampler, detail).first; };
    EXPECT_EQ(nearest(0.49F), 0U);
    EXPECT_EQ(nearest(0.5F), 1U);
    EXPECT_EQ(nearest(9), 2U);
    EXPECT_EQ(nearest(-INFINITY), 0U);
    t.sampler.linear_levels = true;
    t.sampler.level_bias = 0.5F;
    const Levels between = choose_levels(t, t.sampler, 0.75F);
    EXPECT_EQ(between.first, 1U);
    EXPECT_EQ(between.second, 2U);
    EXPECT_EQ(between.weight, 0.25);
    EXPECT_EQ(choose_levels(t, t.sampler, 5).weight, 0);
}

TEST(Cubes, HaveFacesThatAdjoin) {
    // Each texel beyond an edge has one beyond it in turn: the one that it came from.
    for (unsigned face = 0; face < 6; ++face)
        for (std::uint32_t i = 0; i < 3; ++i) {
            const FaceTexel there = beyond_edge(face, 3, i, 3);
            EXPECT_NE(there.face, face);
            bool back = false;
            for (const auto& [c, r] : {std::pair(-1, 0), {1, 0}, {0, -1}, {0, 1}}) {
                const std::int64_t column = std::int64_t{there.column} + c, row = std::int64_t{there.row} + r;
                const bool inside = column >= 0 && column < 3 && row >= 0 && row < 3;
                if (inside)
                    continue;
                const FaceTexel here = beyond_edge(there.face, column, row, 3);
                back = back || (here.face == face && here.column == 2 && here.row == i);
            }
            EXPECT_TRUE(back) << face << ' ' << i;
        }
    const FaceTexel left = beyond_edge(0, -1, 1, 3); // of +x: the right column of +z
    EXPECT_EQ(left.face, 4U);
    EXPECT_EQ(left.column, 2U);
    EXPECT_EQ(left.row, 1U);
}

TEST(Texels, AreWidenedOrMadeNumbers) {
    const auto read = [](TexelFormat format, bool normalised, std::uint32_t bits) {
        Texture t;
        t.texels.format = format;
        t.sampler.normalised_values = normalised;
        return read_texel(t, reinterpret_cast<const std::byte*>(&bits))[0];
    };
    using Kind = TexelFormat::Kind;
    const auto f = [](float x) { return std::bit_cast<std::uint32_t>(x); };
    EXPECT_EQ(read({Kind::Signed, 16, 1}, false, 0xffff), ~0U);
    EXPECT_EQ(read({Kind::Unsigned, 16, 1}, false, 0xffff), 0xffffU);
    EXPECT_EQ(read({Kind::Signed, 32, 1}, false, 0x8000'0000), 0x8000'0000U);
    EXPECT_EQ(read({Kind::Signed, 8, 1}, true, 0x80), f(-1));
    EXPECT_EQ(read({Kind::Signed, 8, 1}, true, 0x40), f(64.0F / 127));
    EXPECT_EQ(read({Kind::Unsigned, 16, 1}, true, 0x8000), f(32768.0F / 65535));
    EXPECT_EQ(read({Kind::Float, 16, 1}, false, 0x3555), f(0x1.554p-2F));
    EXPECT_EQ(read({Kind::Float, 16, 1}, false, 0x8001), f(-0x1p-24F));
    EXPECT_EQ(read({Kind::Float, 16, 1}, false, 0x7c00), 0x7f80'0000U);
    EXPECT_EQ(read({Kind::Float, 16, 1}, false, 0xfe01), 0xffc0'2000U); // a NaN keeps its bits
}

TEST(Handles, AreNeverGivenTwice) {
    TextureTable table;
    Texture t;
    t.texels.width = 7;
    const std::uint64_t a = table.add(t), b = table.add({});
    EXPECT_NE(a, 0U);
    EXPECT_NE(a, b);
    EXPECT_EQ(table.find(a)->texels.width, 7U);
    EXPECT_EQ(table.find(0), nullptr);
    EXPECT_EQ(table.find(a + 5), nullptr);
    EXPECT_TRUE(table.remove(a));
    EXPECT_FALSE(table.remove(a));
    EXPECT_EQ(table.find(a), nullptr);
    EXPECT_TRUE(table.is_destroyed(a));
    const std::uint64_t c = table.add({});
    EXPECT_NE(c, a);
    EXPECT_EQ(table.find(a), nullptr);
    EXPECT_TRUE(table.is_destroyed(a));
    EXPECT_FALSE(table.is_destroyed(c));
    EXPECT_FALSE(table.is_destroyed(12345));
}

class TextureFaults : public Rig {
protected:
    // Thread 5 of 8 fetches through `handle`.
    std::string fetch(std::uint64_t handle) {
        MicroOp op;
        op.opcode = Opcode::Tex;
        op.kind = Kind::Texture;
        op.sub = Sub::Geometry1d;
        op.type = Type::F32;
        op.from = Type::S32;
        op.vector = 4;
        op.dst = {r(0), r(1), r(2), r(3)};
        op.src[0] = rd(0);
        op.src[1] = r(4);
        const Pc pc = emit(op, "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd0, {%r4}];");
        start(32, {8});
        launch.textures = &table;
        executor->begin(launch);
        executor->start_block(0, {0, 0, 0}, 0);
        for (unsigned t = 0; t < 8; ++t)
            set64(rd(0), t, t == 5 ? handle : good);
        return fault_of(group(pc, 0, 8));
    }
    Texture texture() {
        Texture t = row_texture(4, false, Outside::Clamp, false);
        t.texels.begin = image.allocate(16, "texels");
        return t;
    }
    TextureTable table;
    const std::uint64_t good = table.add(texture());
};

TEST_F(TextureFaults, NameTheObjectAndTheThread) {
    EXPECT_EQ(fetch(99), "0x63 is no texture object\n"
                         "  kernel 'k' at t.ptx:2:5\n"
                         "    tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd0, {%r4}];\n"
                         "  block (0,0,0) thread (5,0,0)");
}

TEST_F(TextureFaults, KnowDestroyedObjectsAndFreedMemory) {
    const std::uint64_t destroyed = table.add(texture());
    table.remove(destroyed);
    EXPECT_NE(fetch(destroyed).find("is a destroyed texture object"), std::string::npos);
    const Texture t = texture();
    const std::uint64_t freed = table.add(t);
    ASSERT_TRUE(image.release(t.texels.begin));
    EXPECT_NE(fetch(freed).find("the memory of texture object"), std::string::npos);
    EXPECT_EQ(fetch(good), "no fault");
}

} // namespace
} // namespace heddle::exec::test

#include <gtest/gtest.h>

#include "base/registry.h"

namespace heddle {
namespace {

struct Shape {
    virtual ~Shape() = default;
    [[nodiscard]] virtual int area() const = 0;
};
struct Square : Shape {
    explicit Square(int side) : side_(side) {}
    [[nodiscard]] int area() const override {
        return side_ * side_;
    }
    int side_;
};

std::unique_ptr<Shape> make_square(int side) {
    return std::make_unique<Square>(side);
}

TEST(Registry, MakesByName) {
    Registry<Shape, int> shapes("shape");
    shapes.add({"square", "all sides equal", "Euclid", make_square});
    EXPECT_EQ(shapes.make("square", 3)->area(), 9);
    EXPECT_EQ(shapes.find("square").source, "Euclid");
}

// A class is made with its constructor's arguments, whether add() or the macro registers it.
TEST(Registry, MakesAClassByItsConstructor) {
    Registry<Shape, int> shapes("shape");
    HEDDLE_REGISTERED(shapes, Square, "square", "all sides equal", "Euclid");
    EXPECT_EQ(shapes.make("square", 5)->area(), 25);
    EXPECT_EQ(shapes.find("square").meaning, "all sides equal");
}

TEST(Registry, NamesAreSortedAndUnique) {
    Registry<Shape, int> shapes("shape");
    shapes.add({"square", "", "", make_square});
    shapes.add({"cube", "", "", make_square});
    EXPECT_EQ(shapes.names(), (std::vector<std::string>{"cube", "square"}));
    EXPECT_THROW(shapes.add({"cube", "", "", make_square}), std::logic_error);
}

TEST(Registry, UnknownNameListsTheValidOnes) {
    Registry<Shape, int> shapes("shape");
    shapes.add({"square", "", "", make_square});
    shapes.add({"cube", "", "", make_square});
    try {
        (void)shapes.make("round", 1);
        FAIL();
    } catch (const UserError& e) {
        EXPECT_STREQ(e.what(), "unknown shape 'round'; valid: cube, square");
    }
}

TEST(Suggest, NearestWord) {
    const std::vector<std::string> known{"dcache.size", "dcache.ways", "core.scheduler"};
    EXPECT_EQ(edit_distance("ways", "wasy"), 1U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(nearest("dcache.sise", known), "dcache.size");
    EXPECT_EQ(nearest("core.shceduler", known), "core.scheduler");
    EXPECT_EQ(nearest("entirely.different", known), "");
    EXPECT_EQ(did_you_mean("zz", known), "");
}

} // namespace
} // namespace heddle

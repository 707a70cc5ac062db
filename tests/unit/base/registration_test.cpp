#include <gtest/gtest.h>

#include "base/registry.h"

namespace heddle {
namespace {

struct Shape {
    virtual ~Shape() = default;
};
struct Round : Shape {};

TEST(PluginRegistrations, BelongToThePlugin) {
    Registry<Shape> shapes("shape");
    shapes.add<Round>("own", "", "");
    {
        const PluginRegistrations plugin("extra");
        EXPECT_EQ(registering_plugin(), "extra");
        shapes.add<Round>("theirs", "", "");
        EXPECT_TRUE(plugin.refused().empty());
    }
    EXPECT_EQ(registering_plugin(), "");
    EXPECT_EQ(shapes.find("own").plugin, "");
    EXPECT_EQ(shapes.find("theirs").plugin, "extra");
}

TEST(PluginRegistrations, ARefusedOneIsNotedAndChangesNothing) {
    Registry<Shape> shapes("shape");
    shapes.add<Round>("round", "the first", "");
    const PluginRegistrations plugin("extra");
    EXPECT_NO_THROW(shapes.add<Round>("round", "the second", ""));
    EXPECT_EQ(plugin.refused(),
              std::vector<std::string>{"there is a shape 'round' already, in heddle itself; give yours another name"});
    EXPECT_EQ(shapes.find("round").meaning, "the first");
    EXPECT_EQ(shapes.find("round").plugin, "");
}

TEST(Registry, AFactoryThatMakesNothingIsAnError) {
    Registry<Shape> shapes("shape");
    shapes.add({"nothing", "", "", []() -> std::unique_ptr<Shape> { return nullptr; }});
    try {
        (void)shapes.make("nothing");
        FAIL();
    } catch (const UserError& e) {
        EXPECT_STREQ(e.what(), "the factory of the shape 'nothing' returns no object");
    }
}

TEST(PluginRegistrations, WithoutAPluginARefusalIsAnError) {
    EXPECT_THROW(refuse_registration("two of them"), std::logic_error);
}

} // namespace
} // namespace heddle

#include <gtest/gtest.h>

#include "base/registry.h"

namespace heddle {
namespace {

struct Pet {
    virtual ~Pet() = default;
};
struct Cat : Pet {};

TEST(PluginRegistrations, BelongToThePlugin) {
    Registry<Pet> pets("pet");
    pets.add<Cat>("own", "", "");
    {
        const PluginRegistrations plugin("extra");
        EXPECT_EQ(registering_plugin(), "extra");
        pets.add<Cat>("theirs", "", "");
        EXPECT_TRUE(plugin.refused().empty());
    }
    EXPECT_EQ(registering_plugin(), "");
    EXPECT_EQ(pets.find("own").plugin, "");
    EXPECT_EQ(pets.find("theirs").plugin, "extra");
}

TEST(PluginRegistrations, ARefusedOneIsNotedAndChangesNothing) {
    Registry<Pet> pets("pet");
    pets.add<Cat>("cat", "the first", "");
    const PluginRegistrations plugin("extra");
    EXPECT_NO_THROW(pets.add<Cat>("cat", "the second", ""));
    EXPECT_EQ(plugin.refused(),
              std::vector<std::string>{"there is a pet 'cat' already, in heddle itself; give yours another name"});
    EXPECT_EQ(pets.find("cat").meaning, "the first");
    EXPECT_EQ(pets.find("cat").plugin, "");
}

TEST(PluginRegistrations, AFactoryThatMakesNothingIsAnError) {
    Registry<Pet> pets("pet");
    pets.add({"nothing", "", "", []() -> std::unique_ptr<Pet> { return nullptr; }});
    try {
        (void)pets.make("nothing");
        FAIL();
    } catch (const UserError& e) {
        EXPECT_STREQ(e.what(), "the factory of the pet 'nothing' returns no object");
    }
}

TEST(PluginRegistrations, OnlyAPolicyOfAPluginIsGuarded) {
    struct Guarded : Pet {
        explicit Guarded(std::string name) : who(std::move(name)) {}
        std::string who;
    };
    Registry<Pet> pets("pet", [](std::unique_ptr<Pet> /*pet*/, std::string who) -> std::unique_ptr<Pet> {
        return std::make_unique<Guarded>(std::move(who));
    });
    pets.add<Cat>("own", "", "");
    const PluginRegistrations plugin("extra");
    pets.add<Cat>("theirs", "", "");
    EXPECT_NE(dynamic_cast<Cat*>(pets.make("own").get()), nullptr);
    const auto theirs = pets.make("theirs");
    ASSERT_NE(dynamic_cast<Guarded*>(theirs.get()), nullptr);
    EXPECT_EQ(dynamic_cast<Guarded*>(theirs.get())->who, "the pet 'theirs' of the plug-in extra");
}

TEST(PluginRegistrations, WithoutAPluginARefusalIsAnError) {
    EXPECT_THROW(refuse_registration("two of them"), std::logic_error);
}

} // namespace
} // namespace heddle

#include <gtest/gtest.h>

#include "ptx/body_scopes.h"

namespace heddle::ptx {
namespace {

TEST(BodyScopes, EndNamesAtTheirBrace) {
    Function function;
    BodyScopes scopes;
    scopes.start({5, 1});
    scopes.add_local(function, {});
    function.body.resize(2);
    scopes.open(function, {6, 1});
    scopes.add_local(function, {});
    function.body.resize(3);
    scopes.add_label(function, "L", {7, 1});
    function.body.resize(4);
    scopes.close(function);
    function.body.resize(6);
    EXPECT_FALSE(scopes.empty());
    EXPECT_EQ(scopes.body().line, 5U);
    scopes.close(function);
    EXPECT_TRUE(scopes.empty());
    EXPECT_EQ(function.locals[0].begin, 0U);
    EXPECT_EQ(function.locals[0].end, 6U);
    EXPECT_EQ(function.locals[1].begin, 2U);
    EXPECT_EQ(function.locals[1].end, 4U);
    EXPECT_EQ(function.labels[0].index, 3U);
    EXPECT_EQ(function.labels[0].begin, 2U); // of its braces
    EXPECT_EQ(function.labels[0].end, 4U);
}

} // namespace
} // namespace heddle::ptx

#include "fat_binary.h"

#include <cstring>
#include <lz4.h>
#include <zstd.h>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/source.h"
#include "linked_image.h"

namespace heddle::cudart {
namespace {

template <class T>
void put(std::vector<std::byte>& to, T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    to.insert(to.end(), bytes, bytes + sizeof value);
}

struct Entry {
    std::uint16_t kind = 1;
    std::uint32_t sm = 75;
    std::string payload;
    std::uint64_t flags = 0x11;
    std::uint32_t compressed = 0;
    std::uint32_t header = 64;
    std::uint64_t plain = 0; // bytes of a compressed one's text
};

std::vector<std::byte> fat_binary(const std::vector<Entry>& entries) {
    std::vector<std::byte> body;
    for (const Entry& e : entries) {
        const std::size_t begin = body.size();
        const std::uint64_t padded = (e.payload.size() + 1 + 7) / 8 * 8;
        put<std::uint16_t>(body, e.kind);
        put<std::uint16_t>(body, 0x0101);
        put<std::uint32_t>(body, e.header);
        put<std::uint64_t>(body, padded);
        put<std::uint32_t>(body, e.compressed);
        put<std::uint32_t>(body, 0);
        put<std::uint16_t>(body, 0);
        put<std::uint16_t>(body, 9);
        put<std::uint32_t>(body, e.sm);
        put<std::uint64_t>(body, 0);
        put<std::uint64_t>(body, e.flags);
        put<std::uint64_t>(body, 0);
        put<std::uint64_t>(body, e.plain);
        body.resize(begin + e.header);
        for (const char c : e.payload)
            body.push_back(static_cast<std::byte>(c));
        body.resize(begin + e.header + padded);
    }
    std::vector<std::byte> out;
    put<std::uint32_t>(out, 0xba55ed50);
    put<std::uint16_t>(out, 1);
    put<std::uint16_t>(out, 16);
    put<std::uint64_t>(out, body.size());
    out.insert(out.end(), body.begin(), body.end());
    return out;
}

FatBinary parse(const std::vector<std::byte>& bytes) {
    return parse_fat_binary(bytes.data(), bytes.size());
}

std::string error_of(auto&& body) {
    try {
        body();
    } catch (const UserError& e) {
        return e.what();
    }
    return "no error";
}

TEST(FatBinary, GivesThePtxAndSkipsMachineCode) {
    const auto bytes = fat_binary({{.kind = 2, .payload = "cubin"},
                                   {.sm = 70, .payload = ".version 7.0"},
                                   {.sm = 90, .payload = ".version 9.0\n", .header = 96}});
    const FatBinary b = parse(bytes);
    EXPECT_EQ(b.other_entries, 1u);
    ASSERT_EQ(b.ptx.size(), 2u);
    EXPECT_EQ(b.ptx[0].sm, 70u);
    EXPECT_EQ(b.ptx[0].stored, ".version 7.0");
    EXPECT_EQ(b.ptx[1].stored, ".version 9.0\n");
}

TEST(FatBinary, EveryTruncationIsAnError) {
    const auto bytes = fat_binary({{.payload = "some text"}, {.payload = "more text"}});
    for (std::size_t n = 0; n < bytes.size(); ++n)
        EXPECT_NE(error_of([&] { (void)parse_fat_binary(bytes.data(), n); }).find("cut short"), std::string::npos) << n;
    EXPECT_EQ(parse(bytes).ptx.size(), 2u);
}

TEST(FatBinary, SizesBeyondTheEndAreErrors) {
    auto bytes = fat_binary({{.payload = "some text"}});
    const std::uint64_t huge = ~std::uint64_t{0} - 8; // would wrap around when added
    std::memcpy(bytes.data() + 16 + 8, &huge, sizeof huge);
    EXPECT_NE(error_of([&] { (void)parse(bytes); }).find("cut short"), std::string::npos);
    const std::uint32_t header = 0; // would never advance
    std::memcpy(bytes.data() + 16 + 4, &header, sizeof header);
    EXPECT_NE(error_of([&] { (void)parse(bytes); }).find("cut short"), std::string::npos);
}

TEST(FatBinary, WrongMagicNamesBoth) {
    auto bytes = fat_binary({});
    bytes[0] = std::byte{0x51};
    EXPECT_EQ(error_of([&] { (void)parse(bytes); }),
              "not a fat binary: it begins with 0xba55ed51 instead of 0xba55ed50");
}

TEST(FatBinary, ChoosesTheNewestThatFits) {
    const FatBinary b =
        parse(fat_binary({{.sm = 60, .payload = "a"}, {.sm = 75, .payload = "b"}, {.sm = 90, .payload = "c"}}));
    EXPECT_EQ(choose_ptx(b, 75).stored, "b");
    EXPECT_EQ(choose_ptx(b, 80).stored, "b");
    EXPECT_EQ(choose_ptx(b, 61).stored, "a");
    const FatBinary newer = parse(fat_binary({{.sm = 100, .payload = "x"}, {.sm = 90, .payload = "y"}}));
    EXPECT_EQ(choose_ptx(newer, 75).stored, "y");
    const FatBinary damaged = parse(fat_binary({{.sm = ~0U, .payload = "x"}, {.sm = 1U << 30, .payload = "y"}}));
    EXPECT_EQ(choose_ptx(damaged, 75).stored, "y");
}

// A text that both methods make smaller, with the 0 that ends it, as nvcc does.
std::string long_text() {
    std::string text = ".version 9.0\n";
    for (int i = 0; i < 200; ++i)
        text += "add.s32 %r" + std::to_string(i) + ", %r1, %r2;\n";
    return text + '\0';
}

Entry lz4_entry(const std::string& text) {
    std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))), '\0');
    packed.resize(static_cast<std::size_t>(LZ4_compress_default(
        text.data(), packed.data(), static_cast<int>(text.size()), static_cast<int>(packed.size()))));
    const auto bytes = static_cast<std::uint32_t>(packed.size());
    return {.payload = std::move(packed), .flags = 0x2011, .compressed = bytes, .plain = text.size()};
}

Entry zstd_entry(const std::string& text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
    const auto bytes = static_cast<std::uint32_t>(packed.size());
    return {.payload = std::move(packed), .flags = 0x8011, .compressed = bytes, .plain = text.size()};
}

TEST(FatBinary, CompressedTextIsRead) {
    const std::string text = long_text();
    for (const Entry& entry : {lz4_entry(text), zstd_entry(text)}) {
        EXPECT_LT(entry.payload.size(), text.size());
        EXPECT_EQ(ptx_text(parse(fat_binary({entry})).ptx[0]), text.substr(0, text.size() - 1));
    }
    EXPECT_EQ(ptx_text(parse(fat_binary({{.payload = ".version 9.0"}})).ptx[0]), ".version 9.0");
}

TEST(FatBinary, DamagedCompressedTextIsAnError) {
    for (const Entry& entry : {lz4_entry(long_text()), zstd_entry(long_text())}) {
        const auto error = [](const Entry& e) {
            return error_of([&] { (void)ptx_text(parse(fat_binary({e})).ptx[0]); });
        };
        Entry shorter = entry, longer = entry, huge = entry, cut = entry, beyond = entry;
        --shorter.plain;
        ++longer.plain;
        huge.plain = ~std::uint64_t{0};
        cut.compressed /= 2;
        beyond.compressed = 1U << 30;
        for (const Entry& damaged : {shorter, longer, huge, cut})
            EXPECT_NE(error(damaged).find("is damaged"), std::string::npos) << error(damaged);
        EXPECT_NE(error(beyond).find("cut short"), std::string::npos) << error(beyond);
    }
    EXPECT_NE(error_of([] {
                  (void)ptx_text(parse(fat_binary({{.payload = "?", .compressed = 1}})).ptx[0]);
              }).find("--no-compress"),
              std::string::npos);
}

#ifndef HEDDLE_SANITIZED // the sanitizer needs address space of its own
// A few bytes that claim to be a gigabyte of text: refused before there is room for it.
TEST(FatBinary, ASizeThatIsImpossibleTakesNoMemory) {
    for (Entry entry : {lz4_entry(long_text()), zstd_entry(long_text())}) {
        entry.plain = std::uint64_t{1} << 30;
        const PtxEntry damaged = parse(fat_binary({entry})).ptx[0];
        rlimit before{}, little{};
        getrlimit(RLIMIT_AS, &before);
        little = before;
        little.rlim_cur = std::uint64_t{1} << 29; // half a gigabyte
        setrlimit(RLIMIT_AS, &little);
        EXPECT_NE(error_of([&] { (void)ptx_text(damaged); }).find("is damaged"), std::string::npos);
        setrlimit(RLIMIT_AS, &before);
    }
}
#endif

TEST(FatBinary, MissingPtxSaysWhatToDo) {
    const FatBinary cubin = parse(fat_binary({{.kind = 2, .payload = "elf"}}));
    EXPECT_NE(error_of([&] { (void)choose_ptx(cubin, 75); }).find("no PTX"), std::string::npos);
}

TEST(FatBinary, WrapperVersions) {
    const auto one = fat_binary({{.payload = "one"}});
    const auto two = fat_binary({{.payload = "two"}});
    const auto empty = fat_binary({});
    const FatBinaryWrapper plain{0x466243b1, 1, one.data(), nullptr};
    ASSERT_EQ(parse_wrapper(plain).size(), 1u);
    EXPECT_EQ(parse_wrapper(plain)[0].ptx[0].stored, "one");
    const void* const list[] = {one.data(), two.data(), nullptr};
    const FatBinaryWrapper relocatable{0x466243b1, 2, empty.data(), list};
    ASSERT_EQ(parse_wrapper(relocatable).size(), 2u);
    EXPECT_EQ(parse_wrapper(relocatable)[1].ptx[0].stored, "two");
    EXPECT_NE(error_of([&] {
                  (void)parse_wrapper({0x466243b2, 1, one.data(), nullptr});
              }).find("wrapper"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  (void)parse_wrapper({0x466243b1, 3, one.data(), nullptr});
              }).find("version 3"),
              std::string::npos);
}

TEST(LinkedImage, IsReadWhereverItLies) {
    const auto chars = [](const std::vector<std::byte>& from) {
        const auto* const begin = reinterpret_cast<const char*>(from.data());
        return std::vector<char>(begin, begin + from.size() - 3); // no multiple of 8
    };
    auto one = fat_binary({{.payload = "one"}}), two = fat_binary({{.payload = "two"}});
    for (auto* each : {&one, &two})
        each->resize(each->size() + 3 + 5); // more than the header says
    const std::vector<char> parts[] = {chars(one), chars(two)};
    const std::vector<char> image = make_linked_image(parts);
    EXPECT_EQ(kind_of(image.data()), Image::Linked);
    const std::vector<char> copy = image;
    const auto* const data = reinterpret_cast<const std::byte*>(copy.data());
    for (const std::size_t available : {copy.size(), kUnknownBytes}) {
        const std::vector<FatBinary> read = parse_linked_image(data, available);
        ASSERT_EQ(read.size(), 2U);
        EXPECT_EQ(read[0].ptx[0].stored, "one");
        EXPECT_EQ(read[1].ptx[0].stored, "two");
    }
    for (std::size_t bytes = 0; bytes != copy.size(); ++bytes)
        EXPECT_NE(error_of([&] { (void)parse_linked_image(data, bytes); }).find("cut short"), std::string::npos);
    std::vector<char> wrong = image;
    wrong[16 + 6] = 127; // in the size of the first fat binary
    EXPECT_NE(error_of([&] {
                  (void)parse_linked_image(reinterpret_cast<const std::byte*>(wrong.data()), wrong.size());
              }).find("damaged"),
              std::string::npos);
}

} // namespace
} // namespace heddle::cudart

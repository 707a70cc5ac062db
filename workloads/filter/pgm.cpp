#include "filter/pgm.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "common/random.h"

namespace filter {

namespace {

/// The text of a PGM file, and how far it has been read.
class Text {
public:
    explicit Text(const std::string& path) : path_(path) {
        std::ifstream file(path, std::ios::binary);
        if (!file)
            throw std::runtime_error(path + ": cannot be opened");
        std::ostringstream content;
        content << file.rdbuf();
        content_ = content.str();
        if (content_.empty())
            throw std::runtime_error(path + ": is empty or cannot be read");
    }

    /// "P2" or "P5".
    bool magic_is_plain() {
        if (content_.compare(0, 2, "P2") != 0 && content_.compare(0, 2, "P5") != 0)
            fail("a PGM file begins with P2 or P5");
        at_ = 2;
        if (at_ < content_.size() && !is_space(content_[at_]) && content_[at_] != '#')
            fail("white space must stand behind " + content_.substr(0, 2));
        return content_[1] == '2';
    }

    /// The next whole number, in [least, most].
    unsigned number(const char* meaning, unsigned least, unsigned most) {
        skip_space();
        std::string word;
        while (at_ < content_.size() && !is_space(content_[at_]) && content_[at_] != '#')
            word += content_[at_++];
        if (word.empty())
            fail(std::string("the file ends before the ") + meaning);
        const std::string range = std::to_string(least) + " to " + std::to_string(most);
        unsigned value = 0;
        for (const char c : word) {
            if (c < '0' || c > '9' || value > most)
                fail(std::string("the ") + meaning + " is '" + word.substr(0, 20) + "', not a whole number from " +
                     range);
            value = value * 10 + static_cast<unsigned>(c - '0');
        }
        if (value < least || value > most)
            fail(std::string("the ") + meaning + " is " + word + ", not within " + range);
        return value;
    }

    /// What follows the one white space behind the header, `count` bytes of at most `most`.
    std::vector<std::uint8_t> bytes(std::size_t count, unsigned most) {
        if (at_ == content_.size() || !is_space(content_[at_]))
            fail("one white space must stand between the header and the pixels");
        ++at_;
        const std::size_t left = content_.size() - at_;
        if (left != count)
            throw std::runtime_error(path_ + ": byte " + std::to_string(at_ + std::min(left, count)) + ": " +
                                     std::to_string(left) + " bytes of pixels instead of " + std::to_string(count));
        std::vector<std::uint8_t> values(content_.begin() + static_cast<std::ptrdiff_t>(at_), content_.end());
        for (std::size_t i = 0; i < count; ++i) {
            if (values[i] > most)
                throw std::runtime_error(path_ + ": byte " + std::to_string(at_ + i) + ": the pixel is " +
                                         std::to_string(values[i]) + ", above the header's " + std::to_string(most));
        }
        return values;
    }

    void expect_end() {
        skip_space();
        if (at_ != content_.size())
            fail("more than the pixels of one image");
    }

private:
    static bool is_space(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    /// White space, and comments from # to the end of the line.
    void skip_space() {
        while (at_ < content_.size()) {
            if (content_[at_] == '#')
                at_ = std::min(content_.find('\n', at_), content_.size());
            else if (is_space(content_[at_]))
                ++at_;
            else
                return;
        }
    }

    [[noreturn]] void fail(const std::string& what) const {
        const auto end = content_.begin() + static_cast<std::ptrdiff_t>(at_);
        throw std::runtime_error(path_ + ":" + std::to_string(1 + std::count(content_.begin(), end, '\n')) + ": " +
                                 what);
    }

    std::string path_;
    std::string content_;
    std::size_t at_ = 0;
};

struct Point {
    std::size_t x;
    std::size_t y;
};

Point random_point(std::size_t side, workload::Random& random) {
    const std::size_t x = random.below(static_cast<std::uint32_t>(side));
    return {x, random.below(static_cast<std::uint32_t>(side))};
}

/// A disc or a rectangle up to half as large as the image.
void draw_shape(Image& image, workload::Random& random) {
    const std::size_t side = image.width;
    const Point middle = random_point(side, random);
    const Point half = random_point(side / 4 + 1, random);
    const bool disc = random.below(2) == 0;
    const auto grey = static_cast<std::uint8_t>(random.below(240));
    const std::size_t height = disc ? half.x : half.y;
    const std::size_t bottom = std::min(side - 1, middle.y + height);
    const std::size_t right = std::min(side - 1, middle.x + half.x);
    for (std::size_t y = middle.y - std::min(middle.y, height); y <= bottom; ++y) {
        for (std::size_t x = middle.x - std::min(middle.x, half.x); x <= right; ++x) {
            const std::size_t dx = std::max(x, middle.x) - std::min(x, middle.x);
            const std::size_t dy = std::max(y, middle.y) - std::min(y, middle.y);
            if (!disc || dx * dx + dy * dy <= half.x * half.x)
                image.pixels[y * side + x] = grey;
        }
    }
}

} // namespace

Image read_pgm(const std::string& path) {
    Text text(path);
    Image image;
    image.plain = text.magic_is_plain();
    image.width = text.number("width", 1, kMostSide);
    image.height = text.number("height", 1, kMostSide);
    image.brightest = text.number("value of white", 1, 255);
    const std::size_t count = image.width * image.height;
    if (!image.plain) {
        image.pixels = text.bytes(count, image.brightest);
        return image;
    }
    while (image.pixels.size() < count)
        image.pixels.push_back(static_cast<std::uint8_t>(text.number("pixel", 0, image.brightest)));
    text.expect_end();
    return image;
}

void write_pgm(const std::string& path, const Image& image) {
    std::ofstream file(path, std::ios::binary);
    file << (image.plain ? "P2\n" : "P5\n") << image.width << ' ' << image.height << '\n' << image.brightest << '\n';
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        if (image.plain) // lines of PGM files are at most 70 characters long
            file << unsigned{image.pixels[i]} << ((i + 1) % image.width == 0 || i % 17 == 16 ? '\n' : ' ');
        else
            file.put(static_cast<char>(image.pixels[i]));
    }
    file.close();
    if (!file)
        throw std::runtime_error(path + ": cannot be written");
}

Image random_image(std::size_t side, std::uint64_t seed) {
    constexpr unsigned kShapes = 40;
    constexpr std::uint32_t kNoise = 8; // greys; shapes are not brighter than 239
    workload::Random random(seed);
    Image image;
    image.width = side;
    image.height = side;
    image.pixels.resize(side * side);
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        image.pixels[i] = static_cast<std::uint8_t>((i % side + i / side) * 120 / side);
    for (unsigned shape = 0; shape < kShapes; ++shape)
        draw_shape(image, random);
    for (std::uint8_t& pixel : image.pixels)
        pixel = static_cast<std::uint8_t>(pixel + random.below(kNoise));
    return image;
}

} // namespace filter

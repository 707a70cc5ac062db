#include "check/history.h"

#include <algorithm>

namespace heddle::check {

namespace {

constexpr unsigned kWholeWord = 0xf;

std::uint32_t byte_of(std::uint32_t word, unsigned byte) {
    return (word >> (8 * byte)) & 0xff;
}

template <class T>
std::uint32_t take(std::deque<T>& pool, std::vector<std::uint32_t>& free) {
    if (pool.empty())
        pool.emplace_back(); // index 0 means none
    if (free.empty()) {
        pool.emplace_back();
        return static_cast<std::uint32_t>(pool.size() - 1);
    }
    const std::uint32_t index = free.back();
    free.pop_back();
    pool[index] = {};
    return index;
}

} // namespace

void Histories::begin(std::uint32_t threads_of_block, const ThreadClocks& clocks) {
    threads_of_block_ = threads_of_block;
    clocks_ = &clocks;
    more_.clear();
    bytes_.clear();
    free_more_.clear();
    free_bytes_.clear();
}

void Histories::forget(Word& word) {
    if (word.more != 0) {
        if (word.split)
            for (Word& byte : bytes_[word.more])
                forget(byte);
        (word.split ? free_bytes_ : free_more_).push_back(word.more);
    }
    word = {};
}

bool Histories::are_strong(ThreadId a, Strength a_strength, const WordAccess& b) const {
    if (a_strength == Strength::Weak || b.strength == Strength::Weak)
        return false;
    return (a_strength == Strength::Device && b.strength == Strength::Device) ||
           clocks_->owner(a) / threads_of_block_ == b.block;
}

// Two stores of the same value leave the same memory, whatever their order.
std::optional<Party> Histories::racing_write(const Word& word, const WordAccess& what, std::uint32_t value) const {
    if (word.write_clock == 0 || what.who.knows(word.writer, word.write_clock) ||
        are_strong(word.writer, word.write_strength, what) ||
        (what.how == How::Write && what.value && word.has_value && word.value == value))
        return std::nullopt;
    return Party{word.writer, word.write_pc, word.write_how, word.write_strength};
}

std::optional<Party> Histories::racing(const Reads& reads, const WordAccess& what) const {
    if (reads.clock == 0 || are_strong(reads.begin, reads.strength, what))
        return std::nullopt;
    const static VectorClock nothing;
    const VectorClock& known = what.who.known == nullptr ? nothing : *what.who.known;
    const std::optional<ThreadId> other = known.first_below(reads.begin, reads.end, reads.clock, what.who.thread);
    return other ? std::optional(Party{*other, reads.pc, How::Read, reads.strength}) : std::nullopt;
}

std::optional<Party> Histories::racing_read(const Word& word, const WordAccess& what) const {
    std::optional<Party> out =
        racing({word.read_begin, word.read_end, word.read_clock, word.read_pc, word.read_strength}, what);
    for (unsigned i = 0; word.more != 0 && i < more_[word.more].count && !out; ++i)
        out = racing(more_[word.more].reads[i], what);
    return out;
}

void Histories::enter_write(Word& word, const WordAccess& what, std::uint32_t value) {
    forget(word);
    word.writer = what.who.id;
    word.write_clock = what.who.clock;
    word.write_pc = what.pc;
    word.write_how = what.how;
    word.write_strength = what.strength;
    word.has_value = what.value.has_value();
    word.value = value;
}

void Histories::enter_read(Word& word, const WordAccess& what) {
    const ThreadId id = what.who.id;
    const bool alike =
        word.read_clock == what.who.clock && word.read_pc == what.pc && word.read_strength == what.strength;
    if (alike && id >= word.read_begin && id < word.read_end)
        return;
    if (alike && id == word.read_end && id / threads_of_block_ == word.read_begin / threads_of_block_) {
        ++word.read_end;
        return;
    }
    const static VectorClock nothing;
    const VectorClock& known = what.who.known == nullptr ? nothing : *what.who.known;
    if (word.read_clock != 0 && known.first_below(word.read_begin, word.read_end, word.read_clock, id))
        return enter_more_reads(word, what);
    word.read_begin = id;
    word.read_end = id + 1;
    word.read_clock = what.who.clock;
    word.read_pc = what.pc;
    word.read_strength = what.strength;
}

void Histories::enter_more_reads(Word& word, const WordAccess& what) {
    if (word.more == 0)
        word.more = take(more_, free_more_);
    MoreReads& more = more_[word.more];
    const ThreadId id = what.who.id;
    const static VectorClock nothing;
    const VectorClock& known = what.who.known == nullptr ? nothing : *what.who.known;
    unsigned kept = 0;
    for (unsigned i = 0; i < more.count; ++i) {
        Reads& reads = more.reads[i];
        const bool alike = reads.clock == what.who.clock && reads.pc == what.pc && reads.strength == what.strength;
        if (alike && id >= reads.begin && id < reads.end)
            return;
        if (alike && id == reads.end && id / threads_of_block_ == reads.begin / threads_of_block_) {
            ++reads.end;
            return;
        }
        if (known.first_below(reads.begin, reads.end, reads.clock, id))
            more.reads[kept++] = reads;
    }
    if (kept == kMoreReads)
        std::move(more.reads.begin() + 1, more.reads.begin() + kept--, more.reads.begin());
    more.reads[kept++] = {id, id + 1, what.who.clock, what.pc, what.strength};
    more.count = kept;
}

std::optional<Party> Histories::enter(Word& word, const WordAccess& what, std::uint32_t value) {
    std::optional<Party> out = racing_write(word, what, value);
    if (what.how == How::Read) {
        enter_read(word, what);
        return out;
    }
    if (!out)
        out = racing_read(word, what);
    enter_write(word, what, value);
    return out;
}

void Histories::split(Word& word) {
    const std::uint32_t index = take(bytes_, free_bytes_);
    for (unsigned i = 0; i < 4; ++i) {
        Word& byte = bytes_[index][i];
        byte = word;
        byte.value = byte_of(word.value, i);
        if (word.more != 0) {
            byte.more = take(more_, free_more_);
            more_[byte.more] = more_[word.more];
        }
    }
    forget(word);
    word.split = true;
    word.more = index;
}

std::optional<Party> Histories::access(Word& word, unsigned mask, const WordAccess& what) {
    const std::uint32_t value = what.value.value_or(0);
    if (mask == kWholeWord && !word.split)
        return enter(word, what, value);
    if (!word.split)
        split(word);
    std::optional<Party> out;
    for (unsigned i = 0; i < 4; ++i) {
        if (((mask >> i) & 1) == 0)
            continue;
        const std::optional<Party> found = enter(bytes_[word.more][i], what, byte_of(value, i));
        if (!out)
            out = found;
    }
    if (mask == kWholeWord && what.how != How::Read) // its bytes have one history again
        enter_write(word, what, value);
    return out;
}

} // namespace heddle::check

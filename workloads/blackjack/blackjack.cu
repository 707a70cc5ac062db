// House edge of blackjack by simulation. Every thread owns one 52-card deck in its private memory: it shuffles the
// deck, plays hands until too few cards are left for another one, and starts over.
//
// Rules: one deck, the dealer stands on every 17, blackjack pays 3:2, no doubling, splitting, insurance or surrender.
// The player follows the basic strategy for hitting and standing. Results are counted in half bets, so all arithmetic
// is on integers and the check is exact.

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"

constexpr int kCards = 52;
constexpr int kCardsPerHand = 16;  ///< reshuffle when fewer are left; hands that use more cards than this are rare
constexpr unsigned kMostMask = 63; ///< the smallest 2^k - 1 that no card's number is beyond
constexpr int kAce = 1;
constexpr int kBlackjackPays = 3; ///< half bets
constexpr int kBet = 2;           ///< half bets

/// What one thread has seen.
struct Tally {
    int hands;
    int net; ///< half bets, positive when the player gains
    int player_busts;
    int dealer_busts;
};

/// Marsaglia's xorshift32; the state is never 0.
struct Generator {
    unsigned state;

    __host__ __device__ unsigned next() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state;
    }

    /// Uniform in [0, count), without bias: numbers that are too large are thrown away. `mask`, one less than a power
    /// of two, is at least count - 1.
    __host__ __device__ unsigned below(unsigned count, unsigned mask) {
        unsigned value;
        do {
            value = next() & mask;
        } while (value >= count);
        return value;
    }
};

/// A different state for every thread (the finaliser of MurmurHash3 is a bijection).
__host__ __device__ inline unsigned generator_state(unsigned seed, int thread) {
    unsigned z = seed + static_cast<unsigned>(thread) * 0x9e3779b9u;
    z = (z ^ (z >> 16)) * 0x85ebca6bu;
    z = (z ^ (z >> 13)) * 0xc2b2ae35u;
    z ^= z >> 16;
    return z != 0 ? z : 1;
}

// ---- device ----

/// Cards on the table of one side. An ace counts 1 here and 11 in value() where that does not bust.
struct Hand {
    int hard = 0;
    int aces = 0;

    __device__ void add(int card) {
        hard += card;
        aces += card == kAce;
    }
    __device__ bool soft() const {
        return aces != 0 && hard <= 11;
    }
    __device__ int value() const {
        return soft() ? hard + 10 : hard;
    }
};

__device__ inline bool player_hits(const Hand& hand, int dealer_card) {
    const bool dealer_strong = dealer_card >= 7 || dealer_card == kAce;
    if (hand.soft())
        return hand.value() < 18 || (hand.value() == 18 && (dealer_card >= 9 || dealer_card == kAce));
    if (hand.hard == 12)
        return dealer_strong || dealer_card <= 3;
    return hand.hard < 12 || (hand.hard < 17 && dealer_strong);
}

__device__ inline void shuffle(unsigned char* deck, Generator& generator) {
    unsigned mask = kMostMask;
#pragma unroll 1
    for (unsigned left = kCards; left > 1; --left) {
        if (left - 1 <= mask / 2)
            mask /= 2;
        const unsigned chosen = generator.below(left, mask);
        const unsigned char card = deck[chosen];
        deck[chosen] = deck[left - 1];
        deck[left - 1] = card;
    }
}

/// Plays the hand whose first card is deck[next]; returns the first card that is left.
__device__ inline int play_hand(const unsigned char* deck, int next, Tally& tally) {
    Hand player;
    Hand dealer;
    player.add(deck[next]);
    const int dealer_card = deck[next + 1];
    dealer.add(dealer_card);
    player.add(deck[next + 2]);
    dealer.add(deck[next + 3]);
    next += 4;
    ++tally.hands;

    const bool player_blackjack = player.value() == 21;
    const bool dealer_blackjack = dealer.value() == 21;
    if (player_blackjack || dealer_blackjack) {
        if (player_blackjack != dealer_blackjack)
            tally.net += player_blackjack ? kBlackjackPays : -kBet;
        return next;
    }

#pragma unroll 1
    while (player_hits(player, dealer_card) && next < kCards)
        player.add(deck[next++]);
    if (player.hard > 21) {
        ++tally.player_busts;
        tally.net -= kBet;
        return next;
    }

#pragma unroll 1
    while (dealer.value() < 17 && next < kCards)
        dealer.add(deck[next++]);
    if (dealer.hard > 21) {
        ++tally.dealer_busts;
        tally.net += kBet;
    } else if (player.value() > dealer.value()) {
        tally.net += kBet;
    } else if (player.value() < dealer.value()) {
        tally.net -= kBet;
    }
    return next;
}

__global__ void blackjack(Tally* tallies, int decks, unsigned seed) {
    const int thread = workload::thread_index();
    unsigned char deck[kCards];
#pragma unroll 1
    for (int i = 0; i < kCards; ++i)
        deck[i] = static_cast<unsigned char>(i / 4 < 9 ? i / 4 + 1 : 10);

    Generator generator{generator_state(seed, thread)};
    Tally tally{};
    for (int shuffled = thread; shuffled < decks; shuffled += workload::thread_count()) {
        shuffle(deck, generator);
        int next = 0;
#pragma unroll 1
        while (next <= kCards - kCardsPerHand)
            next = play_hand(deck, next, tally);
    }
    tallies[thread] = tally;
}

// ---- reference ----

namespace {

/// The same game, written from the rules once more: cards are looked at as a whole, not added up one by one.
class Table {
public:
    explicit Table(unsigned state) : generator_{state} {
        for (int rank = 1; rank <= 13; ++rank)
            deck_.insert(deck_.end(), 4, rank);
    }

    void play_deck() {
        for (unsigned left = kCards; left > 1; --left) {
            unsigned mask = 1;
            while (mask < left - 1)
                mask = 2 * mask + 1;
            std::swap(deck_[generator_.below(left, mask)], deck_[left - 1]);
        }
        next_ = 0;
        while (deck_.size() - next_ >= kCardsPerHand)
            play_hand();
    }
    const Tally& tally() const {
        return tally_;
    }

private:
    using Cards = std::vector<int>;

    static int points(int rank) {
        return std::min(rank, 10);
    }
    static int lowest(const Cards& cards) {
        int sum = 0;
        for (const int rank : cards)
            sum += points(rank);
        return sum;
    }
    static bool soft(const Cards& cards) {
        return std::count(cards.begin(), cards.end(), 1) != 0 && lowest(cards) + 10 <= 21;
    }
    static int best(const Cards& cards) {
        return lowest(cards) + (soft(cards) ? 10 : 0);
    }
    static bool hits(const Cards& cards, int dealer) {
        const int total = best(cards);
        if (soft(cards))
            return total <= (dealer == 1 || dealer >= 9 ? 18 : 17);
        if (total <= 11)
            return true;
        if (total == 12)
            return dealer < 4 || dealer > 6;
        return total <= 16 && (dealer == 1 || dealer > 6);
    }
    void draw(Cards& cards) {
        cards.push_back(deck_[next_++]);
    }

    void play_hand() {
        Cards player{deck_[next_], deck_[next_ + 2]};
        Cards dealer{deck_[next_ + 1], deck_[next_ + 3]};
        next_ += 4;
        ++tally_.hands;
        if (best(player) == 21 && best(dealer) == 21)
            return;
        if (best(player) == 21) {
            tally_.net += kBlackjackPays;
            return;
        }
        if (best(dealer) == 21) {
            tally_.net -= kBet;
            return;
        }
        while (hits(player, points(dealer[0])) && next_ < deck_.size())
            draw(player);
        if (best(player) > 21) {
            ++tally_.player_busts;
            tally_.net -= kBet;
            return;
        }
        while (best(dealer) <= 16 && next_ < deck_.size())
            draw(dealer);
        if (best(dealer) > 21)
            ++tally_.dealer_busts;
        if (best(dealer) > 21 || best(player) > best(dealer))
            tally_.net += kBet;
        else if (best(player) < best(dealer))
            tally_.net -= kBet;
    }

    Generator generator_;
    Cards deck_;
    std::size_t next_ = 0;
    Tally tally_{};
};

} // namespace

int main(int argc, char** argv) {
    // 80 decks a thread come to some 160 million instructions, within the 100 to 200 million of LWM11 section 4.
    workload::CommandLine line("blackjack", "House edge of blackjack by simulation, one 52-card deck a thread",
                               {{"lwm", {81'920, 1024, 1}, {2048, 1024, 1}}});
    line.size("decks to shuffle and play", 1, 1u << 28).threads().block().seed();
    const workload::Options options = line.parse(argc, argv);

    const int decks = static_cast<int>(options.amount.size);
    const unsigned seed = static_cast<unsigned>(options.seed ^ (options.seed >> 32));
    const workload::Grid grid = workload::grid_for(options, options.amount.size);
    workload::DeviceArray<Tally> tallies(grid.threads());
    blackjack<<<grid.blocks, grid.block>>>(tallies.data(), decks, seed);
    workload::finish_kernels();
    const std::vector<Tally> got = tallies.to_host();

    workload::Check check;
    long long hands = 0;
    long long net = 0;
    const int threads = static_cast<int>(grid.threads());
    for (int thread = 0; thread < threads; ++thread) {
        Table table(generator_state(seed, thread));
        for (int deck = thread; deck < decks; deck += threads)
            table.play_deck();
        const Tally& expected = table.tally();
        const std::size_t index = static_cast<std::size_t>(thread);
        const Tally& seen = got[index];
        check.equal("hands", index, seen.hands, expected.hands);
        check.equal("net", index, seen.net, expected.net);
        check.equal("player busts", index, seen.player_busts, expected.player_busts);
        check.equal("dealer busts", index, seen.dealer_busts, expected.dealer_busts);
        hands += seen.hands;
        net += seen.net;
    }
    std::printf("blackjack: %d threads, %d decks, %lld hands, house edge %.3f %% of the bet\n", threads, decks, hands,
                -100.0 * static_cast<double>(net) / (kBet * static_cast<double>(hands)));
    return check.finish();
}

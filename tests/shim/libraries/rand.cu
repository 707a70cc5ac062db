// cuRAND's generators: published numbers, the order of numbers, offsets, distributions, and generators on the host
// OPTIONS: -lcurand
// NEEDS: curand.h
// ENV: HEDDLE_OPTIONS={"functional":true}
// EXPECT: philox: 6627e8d5 e169c58d bc57ac4c 9b00dbd8
// EXPECT: xorwow: 246875399
// EXPECT: mrg32k3a: 0.1270111
// EXPECT: order: ok
// EXPECT: host: ok
// EXPECT: uniform: ok
// EXPECT: normal: ok
// EXPECT: poisson: ok
// EXPECT: statuses: ok
// ERROR: heddle: the cuRAND generator of type 201 is not supported yet
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <curand.h>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const int status_ = static_cast<int>(call);                                                                    \
        if (status_ != 0) {                                                                                            \
            std::printf("line %d: %s is %d\n", __LINE__, #call, status_);                                              \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (false)

constexpr curandRngType_t kTypes[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                      CURAND_RNG_PSEUDO_PHILOX4_32_10};

class Generator {
public:
    explicit Generator(curandRngType_t type, unsigned long long seed = 0, bool on_host = false) : on_host_(on_host) {
        CHECK(on_host ? curandCreateGeneratorHost(&generator_, type) : curandCreateGenerator(&generator_, type));
        CHECK(curandSetPseudoRandomGeneratorSeed(generator_, seed));
    }
    ~Generator() {
        CHECK(curandDestroyGenerator(generator_));
    }
    Generator(const Generator&) = delete;
    Generator& operator=(const Generator&) = delete;
    operator curandGenerator_t() const {
        return generator_;
    }
    // n numbers that function(generator, memory, n, parameters...) makes
    template <class T, class F, class... Parameters>
    std::vector<T> make(F function, std::size_t n, Parameters... parameters) const {
        std::vector<T> out(n);
        T* memory = out.data();
        if (!on_host_)
            CHECK(cudaMalloc(&memory, n * sizeof(T)));
        CHECK(function(generator_, memory, n, parameters...));
        if (!on_host_) {
            CHECK(cudaMemcpy(out.data(), memory, n * sizeof(T), cudaMemcpyDeviceToHost));
            CHECK(cudaFree(memory));
        }
        return out;
    }
    std::vector<unsigned> words(std::size_t n) const {
        return make<unsigned>(curandGenerate, n);
    }

private:
    curandGenerator_t generator_;
    bool on_host_;
};

void verdict(const char* what, bool right) {
    std::printf("%s: %s\n", what, right ? "ok" : "wrong");
}

template <class T>
bool close_to(const std::vector<T>& a, const std::vector<T>& b, double most) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= most * (1 + std::abs(b[i]))))
            return false;
    return a.size() == b.size();
}

void test_published() {
    const auto philox = Generator(CURAND_RNG_PSEUDO_PHILOX4_32_10).words(4);
    std::printf("philox: %08x %08x %08x %08x\n", philox[0], philox[1], philox[2], philox[3]);
    std::printf("xorwow: %u\n", Generator(CURAND_RNG_PSEUDO_DEFAULT).words(1)[0]);
    const Generator mrg(CURAND_RNG_PSEUDO_MRG32K3A);
    std::printf("mrg32k3a: %.7f\n", static_cast<double>(mrg.make<float>(curandGenerateUniform, 1)[0]));
}

// Several calls give the numbers of one, an offset skips numbers, a seed begins anew.
void test_order() {
    bool right = true;
    for (const curandRngType_t type : kTypes) {
        const Generator whole(type, 42), parts(type, 42), later(type, 42);
        const auto all = whole.words(10000);
        std::vector<unsigned> joined;
        for (const std::size_t n : {1, 4095, 5, 2, 5897}) {
            const auto part = parts.words(n);
            joined.insert(joined.end(), part.begin(), part.end());
        }
        right &= joined == all;
        CHECK(curandSetGeneratorOffset(later, 4099));
        right &= later.words(5901) == std::vector<unsigned>(all.begin() + 4099, all.end());
        CHECK(curandSetPseudoRandomGeneratorSeed(later, 42));
        CHECK(curandSetGeneratorOffset(later, 0));
        right &= later.words(10000) == all;
        right &= Generator(type, 43).words(10000) != all;
        const auto uniform = Generator(type, 42).make<float>(curandGenerateUniform, 10000);
        for (std::size_t i = 0; i < uniform.size(); ++i)
            right &= std::abs(uniform[i] - all[i] * 0x1p-32) < 1e-6;
    }
    verdict("order", right);
}

// A generator on the host gives the same words, and normal numbers that differ in the last places.
void test_host() {
    bool right = true;
    for (const curandRngType_t type : kTypes) {
        const Generator device(type, 5), host(type, 5, true);
        right &= device.words(4501) == host.words(4501);
        right &= device.make<float>(curandGenerateUniform, 99) == host.make<float>(curandGenerateUniform, 99);
        right &=
            device.make<double>(curandGenerateUniformDouble, 99) == host.make<double>(curandGenerateUniformDouble, 99);
        right &= close_to(device.make<float>(curandGenerateNormal, 98, 1.0f, 2.0f),
                          host.make<float>(curandGenerateNormal, 98, 1.0f, 2.0f), 4e-6);
        right &= close_to(device.make<double>(curandGenerateNormalDouble, 98, 1.0, 2.0),
                          host.make<double>(curandGenerateNormalDouble, 98, 1.0, 2.0), 1e-14);
        right &= close_to(device.make<float>(curandGenerateLogNormal, 98, 0.0f, 0.5f),
                          host.make<float>(curandGenerateLogNormal, 98, 0.0f, 0.5f), 4e-6);
        right &= close_to(device.make<double>(curandGenerateLogNormalDouble, 98, 0.0, 0.5),
                          host.make<double>(curandGenerateLogNormalDouble, 98, 0.0, 0.5), 1e-14);
        right &= device.make<unsigned>(curandGeneratePoisson, 99, 20.0) ==
                 host.make<unsigned>(curandGeneratePoisson, 99, 20.0);
    }
    verdict("host", right);
}

template <class T>
struct Moments {
    double mean = 0, variance = 0, skew = 0;
    explicit Moments(const std::vector<T>& numbers) {
        const double n = static_cast<double>(numbers.size());
        for (const T each : numbers)
            mean += each / n;
        for (const T each : numbers) {
            variance += (each - mean) * (each - mean) / n;
            skew += std::pow(each - mean, 3) / n;
        }
        skew /= std::pow(variance, 1.5);
    }
};

// Chi squared of counts that should be equal; of k degrees of freedom its mean is k and its deviation sqrt(2 k).
double chi_squared(const std::vector<double>& have, const std::vector<double>& want) {
    double sum = 0;
    for (std::size_t i = 0; i < have.size(); ++i)
        sum += (have[i] - want[i]) * (have[i] - want[i]) / want[i];
    return sum;
}

constexpr std::size_t kNumbers = 20000;

template <class T>
bool is_uniform(const std::vector<T>& numbers) {
    const Moments<T> m(numbers);
    std::vector<double> have(64), want(64, kNumbers / 64.0);
    bool inside = true;
    for (const T each : numbers) {
        inside &= each > 0 && each <= 1;
        ++have[std::min<std::size_t>(static_cast<std::size_t>(each * 64), 63)];
    }
    return inside && std::abs(m.mean - 0.5) < 0.01 && std::abs(m.variance - 1 / 12.0) < 0.003 &&
           chi_squared(have, want) < 63 + 5 * std::sqrt(126.0);
}

template <class T>
bool is_normal(const std::vector<T>& numbers, double mean, double deviation) {
    const Moments<T> m(numbers);
    std::vector<double> have(32), want(32);
    for (const T each : numbers) // by the distribution function the numbers are uniform
        ++have[static_cast<std::size_t>(16 * std::erfc((mean - each) / (deviation * std::sqrt(2.0))) * 0.9999999)];
    for (double& each : want)
        each = kNumbers / 32.0;
    return std::abs(m.mean - mean) < 0.04 * deviation && std::abs(m.variance / (deviation * deviation) - 1) < 0.05 &&
           std::abs(m.skew) < 0.1 && chi_squared(have, want) < 31 + 5 * std::sqrt(62.0);
}

bool is_poisson(const std::vector<unsigned>& numbers, double lambda) {
    const Moments<unsigned> m(numbers);
    const std::size_t most = static_cast<std::size_t>(lambda + 12 * std::sqrt(lambda) + 12);
    std::vector<double> have, want;
    double of_have = 0, of_want = 0;
    for (std::size_t k = 0; k < most; ++k) { // counts of which at least 20 are expected
        of_want += kNumbers * std::exp(-lambda + k * std::log(lambda) - std::lgamma(k + 1.0));
        of_have += std::count(numbers.begin(), numbers.end(), k);
        if (of_want >= 20) {
            have.push_back(of_have), want.push_back(of_want);
            of_have = of_want = 0;
        }
    }
    const double freedom = static_cast<double>(have.size());
    return std::abs(m.mean / lambda - 1) < 0.05 && std::abs(m.variance / lambda - 1) < 0.08 &&
           chi_squared(have, want) < freedom + 5 * std::sqrt(2 * freedom);
}

void test_distributions() {
    bool uniform = true, normal = true, poisson = true;
    for (const curandRngType_t type : kTypes) {
        const Generator g(type, 1234);
        uniform &= is_uniform(g.make<float>(curandGenerateUniform, kNumbers));
        uniform &= is_uniform(g.make<double>(curandGenerateUniformDouble, kNumbers));
        normal &= is_normal(g.make<float>(curandGenerateNormal, kNumbers, 2.0f, 3.0f), 2, 3);
        normal &= is_normal(g.make<double>(curandGenerateNormalDouble, kNumbers, -1.0, 0.5), -1, 0.5);
        auto logs = g.make<float>(curandGenerateLogNormal, kNumbers, 0.5f, 0.25f);
        for (float& each : logs)
            each = std::log(each);
        normal &= is_normal(logs, 0.5, 0.25);
        for (const double lambda : {0.3, 4.0, 50.0})
            poisson &= is_poisson(g.make<unsigned>(curandGeneratePoisson, kNumbers, lambda), lambda);
    }
    const Moments<unsigned> large(
        Generator(CURAND_RNG_PSEUDO_PHILOX4_32_10).make<unsigned>(curandGeneratePoisson, 1000, 10000.0));
    poisson &= std::abs(large.mean - 10000) < 15 && std::abs(large.variance / 10000 - 1) < 0.2;
    verdict("uniform", uniform);
    verdict("normal", normal);
    verdict("poisson", poisson);
}

void test_statuses() {
    const Generator g(CURAND_RNG_PSEUDO_XORWOW);
    float* memory;
    CHECK(cudaMalloc(&memory, 4 * sizeof(float)));
    curandGenerator_t other = nullptr;
    int version = 0, major = 0;
    bool right = curandGetVersion(&version) == CURAND_STATUS_SUCCESS && version / 1000 == 10;
    right &= curandGetProperty(MAJOR_VERSION, &major) == CURAND_STATUS_SUCCESS && major == 10;
    right &= curandGenerateNormal(g, memory, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    right &= curandGenerateUniform(nullptr, memory, 3) == CURAND_STATUS_NOT_INITIALIZED;
    right &= curandGenerateUniform(g, memory, 0) == CURAND_STATUS_SUCCESS;
    right &= curandGenerateLongLong(g, nullptr, 1) == CURAND_STATUS_TYPE_ERROR;
    right &= curandGeneratePoisson(g, reinterpret_cast<unsigned*>(memory), 1, -1) == CURAND_STATUS_OUT_OF_RANGE;
    right &= curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY) == CURAND_STATUS_SUCCESS;
    right &= curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT) == CURAND_STATUS_OUT_OF_RANGE;
    right &= curandCreateGenerator(&other, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    right &= curandSetStream(g, stream) == CURAND_STATUS_SUCCESS;
    right &= curandGenerateUniform(g, memory, 4) == CURAND_STATUS_SUCCESS;
    right &= cudaStreamSynchronize(stream) == cudaSuccess;
    verdict("statuses", right);
}

int main() {
    test_published();
    test_order();
    test_host();
    test_distributions();
    test_statuses();
    return 0;
}

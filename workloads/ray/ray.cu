// Ray tracing: spheres over a floor, one light with shadows, mirror reflections up to five deep. A thread traces the
// ray through its pixel in a loop, in which a reflection takes the place of the ray.
//
// The shape is that of RAY of the GPGPU-Sim suite: 256x256 pixels, 16x32 blocks (PRO Table II has 512) of 16x8 threads.
// Every operation is rounded once, in the order in which the reference has it, so the check is exact.

#include <algorithm>
#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kX = 16;     ///< threads of a block, along a row
constexpr unsigned kY = 8; ///< and across rows, where the device takes as many
constexpr int kSpheres = 8;
constexpr int kDepth = 5;         ///< rays that follow one another
constexpr float kFloor = -1.0f;   ///< height of the floor
constexpr float kNearest = 1e-3f; ///< a ray does not hit what it leaves
constexpr float kFarthest = 1e20f;
constexpr float kAmbient = 0.2f; ///< light in the shadow
constexpr float kLightX = 6.0f;
constexpr float kLightY = 8.0f;
constexpr float kLightZ = 4.0f;

struct Sphere {
    float x;
    float y;
    float z;
    float square;  ///< of the radius
    float inverse; ///< of the radius
    float grey;
    float mirror; ///< share of the light that it reflects
};

// ---- device ----

__constant__ Sphere spheres[kSpheres];

struct Vector {
    float x;
    float y;
    float z;
};

__device__ inline float dot(Vector a, Vector b) {
    return fmaf(a.z, b.z, fmaf(a.y, b.y, a.x * b.x));
}

/// a + t b
__device__ inline Vector along(Vector a, float t, Vector b) {
    return {fmaf(t, b.x, a.x), fmaf(t, b.y, a.y), fmaf(t, b.z, a.z)};
}

/// v / |v|
__device__ inline Vector direction_of(Vector v) {
    const float scale = 1.0f / sqrtf(dot(v, v));
    return {v.x * scale, v.y * scale, v.z * scale};
}

/// How far the ray goes until it meets the sphere, or kFarthest.
__device__ inline float meets(const Sphere& sphere, Vector origin, Vector direction) {
    const Vector to = {sphere.x - origin.x, sphere.y - origin.y, sphere.z - origin.z};
    const float middle = dot(to, direction);
    const float rest = fmaf(middle, middle, sphere.square - dot(to, to));
    if (rest <= 0.0f)
        return kFarthest;
    const float distance = middle - sqrtf(rest);
    return distance > kNearest ? distance : kFarthest;
}

/// The light on a surface with this normal.
__device__ inline float lit(Vector point, Vector normal) {
    const Vector to_light = direction_of({kLightX - point.x, kLightY - point.y, kLightZ - point.z});
    const float cosine = dot(normal, to_light);
    if (cosine <= 0.0f)
        return kAmbient;
#pragma unroll 1
    for (int i = 0; i < kSpheres; ++i) {
        if (meets(spheres[i], point, to_light) < kFarthest)
            return kAmbient;
    }
    return fmaf(1.0f - kAmbient, cosine, kAmbient);
}

/// The grey of what the ray sees.
__device__ inline float trace(Vector origin, Vector direction) {
    float grey = 0.0f;
    float share = 1.0f;
#pragma unroll 1
    for (int depth = 0; depth < kDepth; ++depth) {
        int hit = -1;
        float distance = kFarthest;
        if (direction.y < 0.0f)
            distance = (kFloor - origin.y) / direction.y;
#pragma unroll 1
        for (int i = 0; i < kSpheres; ++i) {
            const float to_sphere = meets(spheres[i], origin, direction);
            if (to_sphere < distance) {
                distance = to_sphere;
                hit = i;
            }
        }
        if (distance >= kFarthest) // the sky
            return fmaf(share, fmaf(0.5f, direction.y, 0.5f), grey);
        origin = along(origin, distance, direction);
        if (hit < 0) { // the floor, a chessboard that does not reflect
            const int squares = static_cast<int>(floorf(origin.x)) + static_cast<int>(floorf(origin.z));
            const float light = lit(origin, {0.0f, 1.0f, 0.0f});
            return fmaf(share, (squares & 1) != 0 ? light : 0.5f * light, grey);
        }
        const Sphere& sphere = spheres[hit];
        const Vector normal = {(origin.x - sphere.x) * sphere.inverse, (origin.y - sphere.y) * sphere.inverse,
                               (origin.z - sphere.z) * sphere.inverse};
        grey = fmaf(share, sphere.grey * lit(origin, normal), grey);
        share = share * sphere.mirror;
        direction = along(direction, -2.0f * dot(direction, normal), normal);
    }
    return grey;
}

__global__ void render(float* pixels, int n) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= n || y >= n)
        return;
    const float scale = 2.0f / static_cast<float>(n);
    const Vector through = {fmaf(scale, static_cast<float>(x), -1.0f), fmaf(-scale, static_cast<float>(y), 1.0f),
                            -1.5f};
    pixels[y * n + x] = trace({0.0f, 0.5f, 5.0f}, direction_of(through));
}

namespace {

std::vector<Sphere> random_scene(workload::Random& random) {
    std::vector<Sphere> scene(kSpheres);
    for (Sphere& sphere : scene) {
        const float radius = random.uniform(0.4f, 1.2f);
        sphere = {random.uniform(-4.0f, 4.0f),
                  random.uniform(kFloor + radius, 2.0f),
                  random.uniform(-5.0f, 1.0f),
                  radius * radius,
                  1.0f / radius,
                  random.uniform(0.2f, 0.8f),
                  random.uniform(0.2f, 0.7f)};
    }
    return scene;
}

std::vector<float> draw(const std::vector<Sphere>& scene, std::size_t n, dim3 blocks, dim3 block) {
    CUDA_CHECK(cudaMemcpyToSymbol(spheres, scene.data(), scene.size() * sizeof(Sphere)));
    workload::DeviceArray<float> pixels(n * n);
    pixels.fill_bytes(0xff); // not numbers
    render<<<blocks, block>>>(pixels.data(), static_cast<int>(n));
    workload::finish_kernels();
    return pixels.to_host();
}

// ---- reference ----

class Tracer {
public:
    explicit Tracer(const std::vector<Sphere>& scene) : scene_(scene) {}

    float pixel(std::size_t x, std::size_t y, std::size_t n) const {
        const float scale = 2.0f / static_cast<float>(n);
        float through[3] = {std::fma(scale, static_cast<float>(x), -1.0f),
                            std::fma(-scale, static_cast<float>(y), 1.0f), -1.5f};
        normalise(through);
        const float eye[3] = {0.0f, 0.5f, 5.0f};
        return add_seen(0.0f, 1.0f, eye, through, kDepth);
    }

private:
    static float product(const float* a, const float* b) {
        float sum = a[0] * b[0];
        for (int i = 1; i < 3; ++i)
            sum = std::fma(a[i], b[i], sum);
        return sum;
    }

    static void normalise(float* v) {
        const float scale = 1.0f / std::sqrt(product(v, v));
        for (int i = 0; i < 3; ++i)
            v[i] *= scale;
    }

    float distance(const Sphere& sphere, const float* origin, const float* direction) const {
        const float to[3] = {sphere.x - origin[0], sphere.y - origin[1], sphere.z - origin[2]};
        const float middle = product(to, direction);
        const float rest = std::fma(middle, middle, sphere.square - product(to, to));
        const float there = rest > 0 ? middle - std::sqrt(rest) : 0;
        return there > kNearest ? there : kFarthest;
    }

    const Sphere* first_met(const float* origin, const float* direction, float& nearest) const {
        const Sphere* first = nullptr;
        for (const Sphere& sphere : scene_) {
            const float there = distance(sphere, origin, direction);
            if (there < nearest) {
                nearest = there;
                first = &sphere;
            }
        }
        return first;
    }

    float light_at(const float* point, const float* normal) const {
        float to_light[3] = {kLightX - point[0], kLightY - point[1], kLightZ - point[2]};
        normalise(to_light);
        const float cosine = product(normal, to_light);
        float any = kFarthest;
        const bool shadow = cosine <= 0 || first_met(point, to_light, any) != nullptr;
        return shadow ? kAmbient : std::fma(1.0f - kAmbient, cosine, kAmbient);
    }

    /// `grey` and the share that the ray adds to it, by recursion.
    float add_seen(float grey, float share, const float* origin, const float* direction, int rays) const {
        if (rays == 0)
            return grey;
        float there = direction[1] < 0 ? (kFloor - origin[1]) / direction[1] : kFarthest;
        const Sphere* const sphere = first_met(origin, direction, there);
        if (there >= kFarthest)
            return std::fma(share, std::fma(0.5f, direction[1], 0.5f), grey);
        float point[3];
        for (int i = 0; i < 3; ++i)
            point[i] = std::fma(there, direction[i], origin[i]);
        if (sphere == nullptr) {
            const float up[3] = {0, 1, 0};
            const float light = light_at(point, up);
            const bool bright = (static_cast<int>(std::floor(point[0])) + static_cast<int>(std::floor(point[2]))) % 2;
            return std::fma(share, bright ? light : 0.5f * light, grey);
        }
        const float normal[3] = {(point[0] - sphere->x) * sphere->inverse, (point[1] - sphere->y) * sphere->inverse,
                                 (point[2] - sphere->z) * sphere->inverse};
        const float own = sphere->grey * light_at(point, normal);
        const float back = -2.0f * product(direction, normal);
        float mirrored[3];
        for (int i = 0; i < 3; ++i)
            mirrored[i] = std::fma(back, normal[i], direction[i]);
        return add_seen(std::fma(share, own, grey), share * sphere->mirror, point, mirrored, rays - 1);
    }

    const std::vector<Sphere>& scene_;
};

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("ray", "Ray tracing of spheres over a floor", {{"pro", {256, 0, 1}, {96, 0, 1}}});
    line.size("rows and columns of the image", 1, 4096).seed();
    const workload::Options options = line.parse(argc, argv);
    workload::require_block_of(kX, "ray", "the tracer");

    const std::size_t n = options.amount.size;
    workload::Random random(options.seed);
    const std::vector<Sphere> scene = random_scene(random);
    const dim3 block(kX, std::min(kY, workload::most_block_threads() / kX));
    const dim3 blocks(static_cast<unsigned>(workload::groups_of(n, kX)),
                      static_cast<unsigned>(workload::groups_of(n, block.y)));
    const std::vector<float> got = draw(scene, n, blocks, block);
    const Tracer tracer(scene);
    workload::Check check;
    for (std::size_t i = 0; i < got.size(); ++i)
        check.near("pixel", i, got[i], tracer.pixel(i % n, i / n, n), 0);
    std::printf("ray: %ux%u blocks of %ux%u threads, %zux%zu pixels\n", blocks.x, blocks.y, block.x, block.y, n, n);
    return check.finish();
}

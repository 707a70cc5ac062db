// The transpose of a square matrix in three steps: columns written one word a line, tiles with bank conflicts, tiles
// without them. docs/first-kernel.md and docs/reading-a-profile.md read its profile.
#include <cstdio>
#include <vector>

constexpr int kTile = 32; // a block: 32 x 8 threads, a tile of 32 x 32 elements
constexpr int kRows = 8;

__global__ void transpose_naive(float* out, const float* in, int n) {
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out[x * n + y + j] = in[(y + j) * n + x]; // neighbouring threads write words that are n words apart
}

__global__ void transpose_tiled(float* out, const float* in, int n) {
    __shared__ float tile[kTile][kTile];
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    const int left = blockIdx.y * kTile + threadIdx.x, top = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out[(top + j) * n + left] = tile[threadIdx.x][threadIdx.y + j]; // a column: all its words lie in one bank
}

__global__ void transpose_padded(float* out, const float* in, int n) {
    __shared__ float tile[kTile][kTile + 1]; // the words of a column lie in different banks
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    const int left = blockIdx.y * kTile + threadIdx.x, top = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out[(top + j) * n + left] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
    const int n = 512;
    std::vector<float> in(n * n), out(n * n);
    for (int i = 0; i < n * n; ++i)
        in[i] = static_cast<float>(i);
    float *device_in = nullptr, *device_out = nullptr;
    cudaMalloc(&device_in, in.size() * sizeof(float));
    cudaMalloc(&device_out, out.size() * sizeof(float));
    cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);

    const dim3 grid(n / kTile, n / kTile), block(kTile, kRows);
    void (*const kernels[])(float*, const float*, int) = {transpose_naive, transpose_tiled, transpose_padded};
    const char* const names[] = {"naive", "tiled", "padded"};
    int failed = 0;
    for (int k = 0; k < 3; ++k) {
        cudaMemset(device_out, 0, out.size() * sizeof(float));
        kernels[k]<<<grid, block>>>(device_out, device_in, n);
        if (cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) {
            std::printf("%s: %s\n", names[k], cudaGetErrorString(cudaGetLastError()));
            return 1;
        }
        int wrong = 0;
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x)
                wrong += out[x * n + y] != in[y * n + x];
        std::printf("%s: %s\n", names[k], wrong == 0 ? "right" : "wrong");
        failed += wrong != 0;
    }
    cudaFree(device_in);
    cudaFree(device_out);
    return failed;
}

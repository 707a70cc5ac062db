// Formats of texels whose integers stand for numbers up to 1: read as such, whatever the texture's mode of reading.
// OPTIONS: -lcuda
// EXPECT: unsigned, 8 bits: 0.000 0.502 1.000 0.200
// EXPECT: signed, 16 bits: -1.000 1.000
// EXPECT: a kind that does not fit: 20
// EXPECT: a view of integers: 0 128 255 51
// EXPECT: by the driver: 0, c2 of 4 channels
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void read(cudaTextureObject_t texture, float4* out) {
    *out = tex2D<float4>(texture, 1, 0);
}

__global__ void read_integers(cudaTextureObject_t texture, uint4* out) {
    *out = tex2D<uint4>(texture, 1, 0);
}

// Of a row of two texels, which a view may see in another format.
cudaTextureObject_t texture_of(const cudaChannelFormatDesc& format, const void* row, size_t bytes,
                               const cudaResourceViewDesc* view = nullptr) {
    cudaArray_t array;
    cudaMallocArray(&array, &format, 2, 1);
    cudaMemcpy2DToArray(array, 0, 0, row, bytes, bytes, 1, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, view);
    return texture;
}

template <class Texel>
Texel result_of(void (*kernel)(cudaTextureObject_t, Texel*), cudaTextureObject_t texture) {
    Texel *out, host;
    cudaMalloc(&out, sizeof host);
    kernel<<<1, 1>>>(texture, out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    return host;
}

int main() {
    const auto bytes4 = cudaCreateChannelDesc<cudaChannelFormatKindUnsignedNormalized8X4>();
    const auto words2 = cudaCreateChannelDesc<cudaChannelFormatKindSignedNormalized16X2>();
    const unsigned char bytes[8] = {1, 2, 3, 4, 0, 128, 255, 51};
    const float4 a = result_of(read, texture_of(bytes4, bytes, sizeof bytes));
    std::printf("unsigned, 8 bits: %.3f %.3f %.3f %.3f\n", a.x, a.y, a.z, a.w);
    const short words[4] = {1, 2, -32768, 32767};
    const float4 b = result_of(read, texture_of(words2, words, sizeof words));
    std::printf("signed, 16 bits: %.3f %.3f\n", b.x, b.y);
    cudaArray_t array;
    const cudaChannelFormatDesc wrong = {8, 0, 0, 0, cudaChannelFormatKindUnsignedNormalized8X4};
    std::printf("a kind that does not fit: %d\n", cudaMallocArray(&array, &wrong, 2, 1));
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatUnsignedChar4;
    view.width = 2;
    view.height = 1;
    const uint4 c = result_of(read_integers, texture_of(bytes4, bytes, sizeof bytes, &view));
    std::printf("a view of integers: %u %u %u %u\n", c.x, c.y, c.z, c.w);

    CUDA_ARRAY_DESCRIPTOR what = {};
    what.Width = 4;
    what.Height = 4;
    what.Format = CU_AD_FORMAT_UNORM_INT8X4;
    what.NumChannels = 4;
    CUarray made;
    const CUresult result = cuArrayCreate(&made, &what);
    CUDA_ARRAY_DESCRIPTOR back = {};
    cuArrayGetDescriptor(&back, made);
    std::printf("by the driver: %d, %x of %u channels\n", result, (unsigned)back.Format, back.NumChannels);
}

// NVIDIA's marks and ranges for profilers. There is no profiler here: the functions do what CUDA's do without one.
#pragma once

#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING (-2) // the result of ranges that nobody counts

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
    const char* ascii;
    const wchar_t* unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))

#define HEDDLE_NVTX_TEXTS(type, name, before, result)                                                                  \
    static inline type name##A(before const char* text) {                                                              \
        (void)text;                                                                                                    \
        return result;                                                                                                 \
    }                                                                                                                  \
    static inline type name##W(before const wchar_t* text) {                                                           \
        (void)text;                                                                                                    \
        return result;                                                                                                 \
    }
#define HEDDLE_NVTX_EVENT(type, name, result)                                                                          \
    static inline type nvtx##name##Ex(const nvtxEventAttributes_t* event) {                                            \
        (void)event;                                                                                                   \
        return result;                                                                                                 \
    }                                                                                                                  \
    static inline type nvtxDomain##name##Ex(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {           \
        (void)domain, (void)event;                                                                                     \
        return result;                                                                                                 \
    }
HEDDLE_NVTX_EVENT(void, Mark, (void)0)
HEDDLE_NVTX_EVENT(nvtxRangeId_t, RangeStart, 0)
HEDDLE_NVTX_EVENT(int, RangePush, NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX_TEXTS(void, nvtxMark, , (void)0)
HEDDLE_NVTX_TEXTS(nvtxRangeId_t, nvtxRangeStart, , 0)
HEDDLE_NVTX_TEXTS(int, nvtxRangePush, , NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX_TEXTS(nvtxDomainHandle_t, nvtxDomainCreate, , 0)
#undef HEDDLE_NVTX_EVENT
#undef HEDDLE_NVTX_TEXTS

static inline void nvtxInitialize(const void* reserved) {
    (void)reserved;
}
static inline void nvtxRangeEnd(nvtxRangeId_t range) {
    (void)range;
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
    (void)domain, (void)range;
}
static inline int nvtxRangePop(void) {
    return NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
    (void)domain;
    return NVTX_NO_PUSH_POP_TRACKING;
}
static inline void nvtxDomainDestroy(nvtxDomainHandle_t domain) {
    (void)domain;
}
static inline void nvtxNameCategoryA(uint32_t category, const char* name) {
    (void)category, (void)name;
}
static inline void nvtxNameOsThreadA(uint32_t thread, const char* name) {
    (void)thread, (void)name;
}
static inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char* name) {
    (void)domain, (void)category, (void)name;
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* text) {
    (void)domain, (void)text;
    return 0;
}

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

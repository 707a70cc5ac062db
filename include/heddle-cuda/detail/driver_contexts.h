// The driver API: contexts with a part of the device (green contexts), what happens in a process (notifications, logs,
// core dumps), and checkpoints of processes. heddle refuses most of it. Read by cuda.h.
#pragma once

typedef struct CUgreenCtx_st* CUgreenCtx;
typedef struct CUdevResourceDesc_st* CUdevResourceDesc;
typedef struct CUasyncCallbackEntry_st* CUasyncCallbackHandle;
typedef struct CUlogsCallbackEntry_st* CUlogsCallbackHandle;
typedef unsigned int CUlogIterator;

// Parameters of contexts
typedef enum CUexecAffinityType_enum {
    CU_EXEC_AFFINITY_TYPE_SM_COUNT = 0,
    CU_EXEC_AFFINITY_TYPE_MAX = 1
} CUexecAffinityType;
typedef struct CUexecAffinitySmCount_st {
    unsigned int val;
} CUexecAffinitySmCount_v1;
typedef CUexecAffinitySmCount_v1 CUexecAffinitySmCount;
typedef struct CUexecAffinityParam_st {
    CUexecAffinityType type;
    union {
        CUexecAffinitySmCount smCount;
    } param;
} CUexecAffinityParam_v1;
typedef CUexecAffinityParam_v1 CUexecAffinityParam;
typedef enum CUcigDataType_enum { CIG_DATA_TYPE_D3D12_COMMAND_QUEUE = 1, CIG_DATA_TYPE_NV_BLOB = 2 } CUcigDataType;
typedef struct CUctxCigParam_st {
    CUcigDataType sharedDataType;
    void* sharedData;
} CUctxCigParam;
typedef struct CUctxCreateParams_st {
    CUexecAffinityParam* execAffinityParams;
    int numExecAffinityParams;
    CUctxCigParam* cigParams;
} CUctxCreateParams;

// Green contexts
typedef enum { CU_GREEN_CTX_DEFAULT_STREAM = 0x1 } CUgreenCtxCreate_flags;
typedef enum {
    CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING = 0x1,
    CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE = 0x2
} CUdevSmResourceSplit_flags;
typedef enum { CU_DEV_RESOURCE_TYPE_INVALID = 0, CU_DEV_RESOURCE_TYPE_SM = 1 } CUdevResourceType;
typedef struct CUdevSmResource_st {
    unsigned int smCount, minSmPartitionSize, smCoscheduledAlignment;
} CUdevSmResource;
typedef struct CUdevResource_st {
    CUdevResourceType type;
    unsigned char _internal_padding[92];
    union {
        CUdevSmResource sm;
        unsigned char _oversize[48];
    };
} CUdevResource_v1;
typedef CUdevResource_v1 CUdevResource;

// Notifications and logs
typedef enum CUasyncNotificationType_enum { CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET = 1 } CUasyncNotificationType;
typedef struct CUasyncNotificationInfo_st {
    CUasyncNotificationType type;
    union {
        struct {
            unsigned long long bytesOverBudget;
        } overBudget;
    } info;
} CUasyncNotificationInfo;
typedef void (*CUasyncCallback)(CUasyncNotificationInfo* what, void* data, CUasyncCallbackHandle handle);
typedef enum CUlogLevel_enum { CU_LOG_LEVEL_ERROR = 0, CU_LOG_LEVEL_WARNING = 1 } CUlogLevel;
typedef void (*CUlogsCallback)(void* data, CUlogLevel level, char* text, size_t length);

// Core dumps and checkpoints
typedef enum CUcoredumpSettings_enum {
    CU_COREDUMP_ENABLE_ON_EXCEPTION = 1,
    CU_COREDUMP_TRIGGER_HOST = 2,
    CU_COREDUMP_LIGHTWEIGHT = 3,
    CU_COREDUMP_ENABLE_USER_TRIGGER = 4,
    CU_COREDUMP_FILE = 5,
    CU_COREDUMP_PIPE = 6,
    CU_COREDUMP_GENERATION_FLAGS = 7,
    CU_COREDUMP_MAX = 8
} CUcoredumpSettings;
typedef enum CUCoredumpGenerationFlags {
    CU_COREDUMP_DEFAULT_FLAGS = 0x00,
    CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES = 0x01,
    CU_COREDUMP_SKIP_GLOBAL_MEMORY = 0x02,
    CU_COREDUMP_SKIP_SHARED_MEMORY = 0x04,
    CU_COREDUMP_SKIP_LOCAL_MEMORY = 0x08,
    CU_COREDUMP_SKIP_ABORT = 0x10,
    CU_COREDUMP_SKIP_CONSTBANK_MEMORY = 0x20,
    CU_COREDUMP_LIGHTWEIGHT_FLAGS = 0x2f // all of them but SKIP_ABORT
} CUCoredumpGenerationFlags;
typedef enum CUprocessState_enum {
    CU_PROCESS_STATE_RUNNING = 0,
    CU_PROCESS_STATE_LOCKED = 1,
    CU_PROCESS_STATE_CHECKPOINTED = 2,
    CU_PROCESS_STATE_FAILED = 3
} CUprocessState;
typedef struct CUcheckpointLockArgs_st {
    unsigned int timeoutMs, reserved0;
    cuuint64_t reserved1[7];
} CUcheckpointLockArgs;
typedef struct CUcheckpointCheckpointArgs_st {
    cuuint64_t reserved[8];
} CUcheckpointCheckpointArgs;
typedef struct CUcheckpointGpuPair_st {
    CUuuid oldUuid, newUuid;
} CUcheckpointGpuPair;
typedef struct CUcheckpointRestoreArgs_st { // CUDA 13's; CUDA 12.9 has 64 reserved bytes
    CUcheckpointGpuPair* gpuPairs;
    unsigned int gpuPairsCount;
    char reserved[44];
    cuuint64_t reserved1;
} CUcheckpointRestoreArgs;
typedef struct CUcheckpointUnlockArgs_st {
    cuuint64_t reserved[8];
} CUcheckpointUnlockArgs;

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam* parameters, int count, unsigned int flags,
                        CUdevice device);
CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags, CUdevice device);
CUresult cuCtxGetExecAffinity(CUexecAffinityParam* out, CUexecAffinityType type);
CUresult cuDeviceGetExecAffinitySupport(int* can, CUexecAffinityType type, CUdevice device);

CUresult cuGreenCtxCreate(CUgreenCtx* context, CUdevResourceDesc part, CUdevice device, unsigned int flags);
CUresult cuGreenCtxDestroy(CUgreenCtx context);
CUresult cuCtxFromGreenCtx(CUcontext* out, CUgreenCtx context);
CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* out, CUdevResourceType type);
CUresult cuCtxGetDevResource(CUcontext context, CUdevResource* out, CUdevResourceType type);
CUresult cuGreenCtxGetDevResource(CUgreenCtx context, CUdevResource* out, CUdevResourceType type);
CUresult cuDevSmResourceSplitByCount(CUdevResource* out, unsigned int* groups, const CUdevResource* from,
                                     CUdevResource* rest, unsigned int flags, unsigned int least);
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* part, CUdevResource* resources, unsigned int count);
CUresult cuGreenCtxRecordEvent(CUgreenCtx context, CUevent event);
CUresult cuGreenCtxWaitEvent(CUgreenCtx context, CUevent event);
CUresult cuGreenCtxStreamCreate(CUstream* stream, CUgreenCtx context, unsigned int flags, int priority);
CUresult cuGreenCtxGetId(CUgreenCtx context, unsigned long long* id);
CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx* context);
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green);

CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callback, void* data,
                                           CUasyncCallbackHandle* handle);
CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle handle);
CUresult cuLogsRegisterCallback(CUlogsCallback callback, void* data, CUlogsCallbackHandle* handle);
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle);
CUresult cuLogsCurrent(CUlogIterator* place, unsigned int flags);
CUresult cuLogsDumpToFile(CUlogIterator* place, const char* path, unsigned int flags);
CUresult cuLogsDumpToMemory(CUlogIterator* place, char* text, size_t* bytes, unsigned int flags);

CUresult cuCoredumpGetAttribute(CUcoredumpSettings setting, void* value, size_t* bytes);
CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings setting, void* value, size_t* bytes);
CUresult cuCoredumpSetAttribute(CUcoredumpSettings setting, void* value, size_t* bytes);
CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings setting, void* value, size_t* bytes);
CUresult cuCheckpointProcessGetRestoreThreadId(int process, int* thread);
CUresult cuCheckpointProcessGetState(int process, CUprocessState* state);
CUresult cuCheckpointProcessLock(int process, CUcheckpointLockArgs* how);
CUresult cuCheckpointProcessCheckpoint(int process, CUcheckpointCheckpointArgs* how);
CUresult cuCheckpointProcessRestore(int process, CUcheckpointRestoreArgs* how);
CUresult cuCheckpointProcessUnlock(int process, CUcheckpointUnlockArgs* how);
#ifdef __cplusplus
}
#endif

// The queue of what device code launches and copies, as it lies in the device's memory. Device code (launches.cu) and
// the host (child_launches.cpp) both include this file.
//
// The queue begins with a Queue. Records follow, one behind the other, each at a multiple of kRecordAlignment. All
// bytes behind the last record are zero.
#pragma once

namespace heddle::runtime::device_code {

using Word = unsigned long long;

constexpr Word kRecordAlignment = 64; // also of a kernel's parameters
constexpr unsigned kMaxDepth = 24;    // of launches in launches, as CUDA has it

// What device code knows of a function of its module. The entry of a function that is no kernel is zero.
struct KernelEntry {
    unsigned parameter_bytes, max_threads, static_shared, registers, local_bytes, reserved;
};

// A graph that device code may launch.
struct GraphEntry {
    enum State : unsigned { kIdle, kLaunched, kLaunchedAgain }; // kLaunched: or running
    Word handle;
    unsigned state, reserved;
};

struct Queue {
    Word next, end;           // offsets: of the next record, of the end of the queue
    Word kernels;             // address of an array of KernelEntry
    Word first_kernel, apart; // address of the function of the first entry; distance of functions' addresses
    Word kernel_count;        // in the array
    Word attributes;          // address of an array of int, by cudaDeviceAttr
    Word attribute_count;     // in the array
    Word heap_bytes;          // limit of malloc
    unsigned error;           // cudaError_t of the last call of this grid that failed
    unsigned depth;           // of this grid: 0 when the host has launched it
    Word graph;               // handle of the graph that this grid belongs to; 0: none
    Word graphs, graph_count; // address of an array of GraphEntry; in the array
    unsigned max_block[3], max_grid[3], max_threads, max_shared; // of any kernel
};

struct Record {
    enum Kind : unsigned { kNotLaunched, kKernel, kTailKernel, kCopy, kFill, kGraph, kNodeUpdate };
    Word bytes; // of the record, a multiple of kRecordAlignment
    Kind kind;
    unsigned shared; // dynamic, of a launch; of a graph: how it is launched (GraphLaunch)
    Word kernel;     // address of the function; handle of the graph
    unsigned grid[3], block[3];
    Word reserved[2];
};

// Behind a Record of kCopy and kFill. Rows of `width` bytes, `height` rows in a slice, `depth` slices.
struct Box {
    Word to, to_row, to_slice;       // address, bytes from row to row and from slice to slice
    Word from, from_row, from_slice; // kFill: `from` is the byte
    Word width, height, depth;
};

// Behind a Record of kNodeUpdate: what changes in the launch of a graph's node. Bytes of a parameter follow it.
struct NodeUpdate {
    enum Field : unsigned { kGrid = 1, kParameter, kEnabled }; // cudaGraphKernelNodeField
    Word node;                                                 // its handle
    Field field;
    unsigned grid[3], enabled;
    Word offset, bytes; // of a parameter: where its bytes begin in those of all parameters; their number
};

static_assert(sizeof(Record) == kRecordAlignment, "parameters follow an aligned record");

} // namespace heddle::runtime::device_code

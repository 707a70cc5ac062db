// A graph as a text in the DOT language.
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "graph.h"
#include "graph_memory.h"

using namespace heddle::cudart;

namespace {

const char* name_of(cudaGraphNodeType type) {
    switch (static_cast<int>(type)) {
    case cudaGraphNodeTypeKernel:
        return "kernel";
    case cudaGraphNodeTypeMemcpy:
        return "memcpy";
    case cudaGraphNodeTypeMemset:
        return "memset";
    case cudaGraphNodeTypeHost:
        return "host function";
    case cudaGraphNodeTypeGraph:
        return "child graph";
    case cudaGraphNodeTypeEmpty:
        return "empty";
    case cudaGraphNodeTypeWaitEvent:
        return "event wait";
    case cudaGraphNodeTypeEventRecord:
        return "event record";
    case cudaGraphNodeTypeMemAlloc:
        return "memory allocation";
    case cudaGraphNodeTypeMemFree:
        return "memory free";
    case cudaGraphNodeTypeConditional:
        return "conditional";
    default:
        return "memory operations";
    }
}

// More lines of a node's label, where the flags ask for them.
struct Details {
    unsigned flags;

    [[nodiscard]] bool has(unsigned flag) const {
        return (flags & (flag | cudaGraphDebugDotFlagsVerbose)) != 0;
    }
    std::string operator()(const KernelTask& call) const {
        cudaError_t error;
        const Kernel* const kernel = State::get().find_kernel(call->function, error);
        std::string out = kernel == nullptr ? "" : "\\n" + kernel->name;
        if (has(cudaGraphDebugDotFlagsKernelNodeParams))
            out += fmt::format("\\n<<<({},{},{}), ({},{},{}), {}>>>", call->grid.x, call->grid.y, call->grid.z,
                               call->block.x, call->block.y, call->block.z, call->shared);
        if (has(cudaGraphDebugDotFlagsKernelNodeAttributes))
            out += fmt::format("\\ncooperative {}, cluster {} {} {}", static_cast<int>(call->cooperative),
                               call->cluster.x, call->cluster.y, call->cluster.z);
        return out;
    }
    std::string operator()(const cudaMemcpy3DParms& copy) const {
        if (!has(cudaGraphDebugDotFlagsMemcpyNodeParams))
            return "";
        return fmt::format("\\n{} to {}, {} x {} x {}", copy.srcPtr.ptr, copy.dstPtr.ptr, copy.extent.width,
                           copy.extent.height, copy.extent.depth);
    }
    std::string operator()(const cudaMemsetParams& fill) const {
        if (!has(cudaGraphDebugDotFlagsMemsetNodeParams))
            return "";
        return fmt::format("\\n{}, {} x {} of {} bytes, value {}", fill.dst, fill.width, fill.height, fill.elementSize,
                           fill.value);
    }
    std::string operator()(const cudaHostNodeParams& call) const {
        return has(cudaGraphDebugDotFlagsHostNodeParams) ? fmt::format("\\ndata {}", call.userData) : "";
    }
    std::string operator()(const EventUse& use) const {
        return has(cudaGraphDebugDotFlagsEventNodeParams)
                   ? fmt::format("\\nevent {}", static_cast<const void*>(use.event))
                   : "";
    }
    std::string operator()(const MemoryUse& use) const {
        return fmt::format("\\n{} bytes at {}", use.memory->bytes, use.memory->pointer());
    }
    std::string operator()(const BranchTask& branch) const {
        constexpr const char* kNames[] = {"if", "while", "switch"};
        const std::string handle = has(cudaGraphDebugDotFlagsConditionalNodeParams)
                                       ? fmt::format(" of handle {:#x}", branch->condition->word)
                                       : "";
        return fmt::format("\\n{}{}", kNames[branch->type], handle);
    }
    template <class T>
    std::string operator()(const T&) const {
        return "";
    }
};

class Writer {
public:
    explicit Writer(unsigned flags) : details_{flags} {}

    // The nodes and edges of a graph; names of nodes are their addresses.
    void write(const CUgraph_st& graph, const std::string& indent) {
        for (const auto& node : graph.nodes) {
            const std::string handle =
                details_.has(cudaGraphDebugDotFlagsHandles) ? fmt::format("\\n{}", id(*node)) : "";
            text_ += fmt::format("{}\"{}\" [shape=box, label=\"{}{}{}\"];\n", indent, id(*node), name_of(node->type),
                                 std::visit(details_, node->task), handle);
            for (const CUgraphNode_st* const before : node->after)
                text_ += fmt::format("{}\"{}\" -> \"{}\";\n", indent, id(*before), id(*node));
            if (const auto* const child = std::get_if<ChildGraph>(&node->task))
                write_within(*node, *child->graph, "child graph", indent);
            if (const auto* const branch = std::get_if<BranchTask>(&node->task))
                for (std::size_t i = 0; i < (*branch)->bodies.size(); ++i)
                    write_within(*node, *(*branch)->bodies[i], fmt::format("body {}", i), indent);
        }
    }
    [[nodiscard]] std::string text() const {
        return "digraph cuda_graph {\n" + text_ + "}\n";
    }

private:
    static std::string id(const CUgraphNode_st& node) {
        return fmt::format("{}", static_cast<const void*>(&node));
    }
    // A graph within a node, and a dashed edge to its first node.
    void write_within(const CUgraphNode_st& node, const CUgraph_st& graph, const std::string& label,
                      const std::string& indent) {
        text_ += fmt::format("{}subgraph \"cluster_{}\" {{\n{}    label=\"{}\";\n", indent, graph.id, indent, label);
        write(graph, indent + "    ");
        text_ += indent + "}\n";
        if (!graph.nodes.empty())
            text_ += fmt::format("{}\"{}\" -> \"{}\" [style=dashed];\n", indent, id(node), id(*graph.nodes.front()));
    }

    Details details_;
    std::string text_;
};

} // namespace

HEDDLE_CUDA_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
    return api([&](State&) {
        if (find_graph(graph) == nullptr || path == nullptr)
            return cudaErrorInvalidValue;
        Writer writer(flags);
        writer.write(*graph, "    ");
        const std::string text = writer.text();
        std::FILE* const file = std::fopen(path, "w");
        if (file == nullptr) {
            complain(fmt::format("cudaGraphDebugDotPrint: '{}' can not be written", path));
            return cudaErrorOperatingSystem;
        }
        const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
        return std::fclose(file) == 0 && written ? cudaSuccess : cudaErrorOperatingSystem;
    });
}

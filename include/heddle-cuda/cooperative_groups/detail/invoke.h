// Calls by one thread of a group. Read by cooperative_groups.h.
#pragma once

namespace cooperative_groups {

template <class Group, class Function, class... Arguments>
__device__ __forceinline__ void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
    if (group.thread_rank() == 0)
        std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}

// All threads get the result. Of tiles and of threads that run together.
template <class Group, class Function, class... Arguments>
__device__ __forceinline__ auto invoke_one_broadcast(const Group& group, Function&& function,
                                                     Arguments&&... arguments) {
    using Result = std::decay_t<decltype(std::forward<Function>(function)(std::forward<Arguments>(arguments)...))>;
    static_assert(!std::is_void_v<Result>, "invoke_one calls what returns nothing");
    Result result{}; // clang draws conclusions from an argument without a value
    if (group.thread_rank() == 0)
        result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
    return group.shfl(result, 0);
}

} // namespace cooperative_groups

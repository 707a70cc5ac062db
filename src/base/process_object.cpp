#include "base/process_object.h"

#include <map>
#include <mutex>
#include <string>

namespace heddle {

void* process_object(std::string_view name, void* (*make)()) {
    static auto* const mutex = new std::recursive_mutex; // one object may need another one
    static auto* const all = new std::map<std::string, void*, std::less<>>;
    const std::lock_guard lock(*mutex);
    if (const auto found = all->find(name); found != all->end())
        return found->second;
    void* const made = make();
    all->emplace(name, made);
    return made;
}

} // namespace heddle

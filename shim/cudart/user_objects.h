// Objects of the program that graphs keep: a function of the program is called when nobody holds the object any more.
#pragma once

#include <map>

#include "cuda_runtime_api.h"

namespace heddle::cudart {

// What a graph or an executable graph holds.
class UserReferences {
public:
    UserReferences() = default;
    UserReferences(const UserReferences&) = delete;
    UserReferences& operator=(const UserReferences&) = delete;
    ~UserReferences();

    void add(const UserReferences& other);                   // each of its objects once
    void take_over(cudaUserObject_t object, unsigned count); // references that somebody else held
    bool release(cudaUserObject_t object, unsigned count);   // false: it does not hold as many

private:
    std::map<cudaUserObject_t, unsigned> counts_;
};

} // namespace heddle::cudart

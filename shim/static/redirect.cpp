// A CUDA runtime that is linked into a program, nvcc's default, reaches NVIDIA's driver through tables that are not
// documented, so heddle's driver is not put below it. This library replaces the runtime: it is loaded before the
// program (LD_PRELOAD) and makes each function of the runtime jump to heddle's function of the same name. The names are
// those of the documented API, in the symbol table of the program or of one of its libraries.
//
// There are two steps. The constructor runs before all others, even that of the C library, so that no function of the
// runtime has run. It replaces the begin of each function by a call of resolve(). The first such call loads heddle's
// runtime, which needs a C library that is ready, and writes the jumps.
#include <array>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <new>
#include <pthread.h>
#include <string_view>
#include <unistd.h>

#include <sys/mman.h>

#include "elf_image.h"

extern "C" void heddle_static_resolve();

namespace {

using heddle::static_runtime::ElfImage;

constexpr std::size_t kPath = 4096;
constexpr std::size_t kReplaced = 14; // bytes at the begin of a function

// What the symbols say of the runtime in a file. The structs of the API differ between the versions of CUDA; each
// version has functions that others lack.
struct Runtime {
    bool found = false, has_properties_v2 = false, has_texture_references = false;
    std::size_t functions = 0; // that may be of the runtime

    explicit Runtime(const ElfImage& image) {
        image.for_functions([&](std::string_view name, const Elf64_Sym& symbol) {
            functions += may_be_of_runtime(name, symbol) ? 1 : 0;
            found |= name == "__cudaRegisterFatBinary";
            has_properties_v2 |= name == "cudaGetDeviceProperties_v2";
            has_texture_references |= name == "cudaBindTexture";
        });
    }
    [[nodiscard]] static bool may_be_of_runtime(std::string_view name, const Elf64_Sym& symbol) {
        return (name.starts_with("cuda") || name.starts_with("__cuda")) && symbol.st_size >= kReplaced;
    }
    [[nodiscard]] const char* library() const {
        return has_properties_v2 ? "libcudart.so.12" : has_texture_references ? "libcudart.so.11.0" : "libcudart.so.13";
    }
};

struct Function {
    char* at;
    std::array<char, kReplaced> original;
    const char* name;
};
// The functions of one file.
struct Functions {
    Functions* next;
    const char* library;
    char *code, *code_end; // all of them, by pages
    std::size_t count;

    [[nodiscard]] Function* function() { // they follow in memory
        return reinterpret_cast<Function*>(this + 1);
    }
};
Functions* all = nullptr;

[[noreturn]] void give_up(const char* what, const char* why) {
    std::fprintf(stderr, "heddle: the CUDA runtime that is linked into the program cannot be replaced: %s: %s\n", what,
                 why);
    _exit(1);
}

// Code that may be changed while this object lives.
class WritableCode {
public:
    explicit WritableCode(const Functions& functions) : functions_(functions) {
        if (protect(PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
            give_up("this computer does not permit changes of a program's code",
                    "link the program with `nvcc -cudart shared`");
    }
    ~WritableCode() {
        (void)protect(PROT_READ | PROT_EXEC);
    }
    WritableCode(const WritableCode&) = delete;
    WritableCode& operator=(const WritableCode&) = delete;

private:
    [[nodiscard]] int protect(int rights) const {
        return mprotect(functions_.code, static_cast<std::size_t>(functions_.code_end - functions_.code), rights);
    }
    const Functions& functions_;
};

// movabs $resolve, %r11; call *%r11
void write_call(char* at) {
    const auto to = reinterpret_cast<std::uint64_t>(&heddle_static_resolve);
    std::memcpy(at, "\x49\xbb", 2);
    std::memcpy(at + 2, &to, sizeof to);
    std::memcpy(at + 10, "\x41\xff\xd3", 3);
}
// jmp *(%rip), and the address
void write_jump(char* at, const void* to) {
    std::memcpy(at, "\xff\x25\0\0\0\0", 6);
    std::memcpy(at + 6, &to, sizeof to);
}

void add_function(Functions& functions, char* at, const char* name) {
    Function& added = functions.function()[functions.count++];
    added.at = at;
    added.name = name;
    std::memcpy(added.original.data(), at, kReplaced);
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    char* const begin = at - reinterpret_cast<std::uint64_t>(at) % page;
    char* const last = at + kReplaced - 1;
    char* const end = last + (page - reinterpret_cast<std::uint64_t>(last) % page);
    functions.code = functions.code == nullptr || begin < functions.code ? begin : functions.code;
    functions.code_end = end > functions.code_end ? end : functions.code_end;
}

void find_functions(const dl_phdr_info& file, ElfImage& image, const Runtime& runtime) {
    void* const memory = mmap(nullptr, sizeof(Functions) + runtime.functions * sizeof(Function), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        give_up("its functions", "there is no memory left");
    auto* const functions = new (memory) Functions{all, runtime.library(), nullptr, nullptr, 0};
    all = functions;
    image.keep();
    image.for_functions([&](std::string_view name, const Elf64_Sym& symbol) {
        if (Runtime::may_be_of_runtime(name, symbol)) // the name ends with a null byte, as all texts of the file
            add_function(*functions, reinterpret_cast<char*>(file.dlpi_addr + symbol.st_value), name.data());
    });
    const WritableCode writable(*functions);
    for (std::size_t i = 0; i < functions->count; ++i)
        write_call(functions->function()[i].at);
}

int visit(dl_phdr_info* file, std::size_t, void*) {
    static bool first = true; // the program itself, whose name is empty
    const char* const path = first ? "/proc/self/exe" : file->dlpi_name;
    first = false;
    const char* const slash = std::strrchr(path, '/');
    if (slash == nullptr || std::strncmp(slash, "/libcudart.so", 13) == 0)
        return 0;
    ElfImage image(path);
    if (!image.has_device_code())
        return 0;
    if (const Runtime runtime(image); runtime.found)
        find_functions(*file, image, runtime);
    return 0;
}

__attribute__((constructor)) void find_runtimes() {
    dl_iterate_phdr(visit, nullptr);
}

// heddle's runtime of that version, from the folder of this library.
void* load(const char* name) {
    std::array<char, kPath> path{};
    Dl_info self;
    if (dladdr(reinterpret_cast<void*>(&load), &self) != 0) {
        const char* const slash = std::strrchr(self.dli_fname, '/');
        const int folder = slash == nullptr ? 0 : static_cast<int>(slash + 1 - self.dli_fname);
        std::snprintf(path.data(), path.size(), "%.*s%s", folder, self.dli_fname, name);
    }
    void* const library = dlopen(path.data(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        give_up(name, dlerror());
    return library;
}

// Functions of the program whose names only look like the runtime's get their code back.
void write_jumps(Functions& functions) {
    void* const library = load(functions.library);
    const WritableCode writable(functions);
    for (std::size_t i = 0; i < functions.count; ++i) {
        const Function& function = functions.function()[i];
        if (const void* const to = dlsym(library, function.name); to != nullptr)
            write_jump(function.at, to);
        else
            std::memcpy(function.at, function.original.data(), kReplaced);
    }
}

} // namespace

extern "C" __attribute__((visibility("hidden"), used)) void heddle_static_write_jumps() {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, [] {
        for (Functions* each = all; each != nullptr; each = each->next)
            write_jumps(*each);
    });
}

// Called by a replaced function in place of its code: writes the jumps and begins the function anew. All registers that
// may hold arguments keep their values. The call of 13 bytes is the begin of the function, so its return address says
// where the function is.
__asm__(R"(
    .text
    .hidden heddle_static_resolve
    .globl heddle_static_resolve
    .type heddle_static_resolve, @function
heddle_static_resolve:
    push %rbp
    mov %rsp, %rbp
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %rax
    push %r10
    sub $128, %rsp
    and $-16, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    call heddle_static_write_jumps
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    lea -64(%rbp), %rsp
    pop %r10
    pop %rax
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    pop %rbp
    pop %r11
    sub $13, %r11
    jmp *%r11
    .size heddle_static_resolve, . - heddle_static_resolve
)");

// Stores: what `heddle query`, `heddle export` and `heddle reproduce` read of them.
#include "experiment/store.h"

#include "experiment/flat_table.h"
#include "experiment/queries.h"
#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = fuzz::file_of("runs.sqlite", data, size);
    fuzz::read_or_refuse([&] {
        experiment::Queries queries(file);
        fuzz::read_or_refuse([&] { (void)queries.run("SELECT *, value(run, 'totals.cycles') FROM runs"); });
        (void)experiment::flat_table(queries);
    });
    fuzz::read_or_refuse([&] {
        experiment::Store store(file, experiment::Store::Mode::write);
        fuzz::read_or_refuse([&] { (void)store.find("key", ""); });
        fuzz::read_or_refuse([&] { (void)store.cost("key"); });
        store.put({"key", "version", "", "label", 1, "{}", 1});
    });
    return 0;
}

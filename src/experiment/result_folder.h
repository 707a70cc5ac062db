// Results as files, one for each run, in a folder that the computers of a cluster share. A file is written aside and
// renamed, so that it is whole or not there; a file that is damaged counts as not there. Files are compressed and carry
// a checksum.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "experiment/results.h"

namespace heddle::experiment {

// Why a run has no result yet.
struct Loss {
    enum class Cause { killed, interrupted } cause = Cause::killed;
    std::string reason;
};

class ResultFolder : public Results {
public:
    // Creates the folder. Throws UserError when that is impossible.
    explicit ResultFolder(std::filesystem::path folder);

    [[nodiscard]] std::optional<StoredRun> find(const std::string& key, const std::string& version) const override;
    void put(const StoredRun&) override;
    // These runs have no result: they may be made again, with more memory or time.
    void put_killed(const StoredRun&) override;
    void put_interrupted(const StoredRun&) override;

    [[nodiscard]] std::optional<Loss> loss(const std::string& key) const;
    // The run is to be made again.
    void forget_loss(const std::string& key);
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;
    [[nodiscard]] const std::filesystem::path& path() const {
        return folder_;
    }

private:
    void note(const StoredRun&, Loss::Cause);
    [[nodiscard]] std::filesystem::path loss_of(const std::string& key) const;

    std::filesystem::path folder_;
};

// Reads a result file. Throws UserError when it cannot be read, or is damaged.
[[nodiscard]] StoredRun read_result_file(const std::filesystem::path&);

} // namespace heddle::experiment

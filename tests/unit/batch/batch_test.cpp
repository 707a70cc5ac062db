// A batch on an engine that does what the test says.
#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "batch/batch.h"

namespace heddle::batch {
namespace {

namespace fs = std::filesystem;

using experiment::StoredRun;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Job> submitted;         // by all batches of a test
std::map<std::string, Tasks> queue; // what the engine says
std::size_t places = 1000;          // in the queue
bool gone = false;                  // the engine does not answer

class Obedient final : public Engine {
public:
    explicit Obedient(const Profile&) {}
    Limits limits() override {
        return {100, places, 1};
    }
    std::string submit(const Job& job) override {
        submitted.push_back(job);
        for (std::size_t task = 1; task <= job.tasks; ++task)
            queue[job.name][task] = {};
        return job.name;
    }
    std::optional<std::map<std::string, Tasks>> state(const std::vector<Job>&) override {
        return gone ? std::nullopt : std::optional(queue);
    }
    void cancel(const std::vector<Job>& jobs) override {
        for (const Job& job : jobs)
            queue.erase(job.name);
    }
};
HEDDLE_ENGINE(Obedient, "obedient", "of a test", "");

class Kept : public experiment::Results {
public:
    std::optional<StoredRun> find(const std::string&, const std::string&) const override {
        return std::nullopt;
    }
    void put(const StoredRun& run) override {
        runs[run.key] = run;
    }
    std::map<std::string, StoredRun> runs;
};

class BatchTest : public testing::Test {
protected:
    BatchTest() {
        submitted.clear();
        queue.clear();
        places = 1000;
        gone = false;
        std::string name = (fs::temp_directory_path() / "heddle-batch-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        profile_.attempts = 2;
        profile_.minutes = 1.0 / 6; // 10 s
    }
    ~BatchTest() override {
        fs::remove_all(folder_);
    }
    std::unique_ptr<Batch> batch() {
        return std::make_unique<Batch>(Batch::Options{folder_ / "batch", "obedient", "v", "heddle", profile_}, kept_);
    }
    // Runs of 10 s and 1000 MB, so that each is a task.
    static std::vector<experiment::Run> runs(std::size_t count) {
        std::vector<experiment::Run> out(count);
        for (std::size_t i = 0; i < count; ++i) {
            out[i].key = fmt::format("{:032}", i);
            out[i].expected = {10, 1000};
        }
        return out;
    }
    void work(std::size_t run, const std::string& failure = "") {
        const std::string key = runs(run + 1).back().key;
        experiment::ResultFolder(folder_ / "batch" / "results").put({key, "v", failure, "", 1, "{}", 1});
    }
    static void end(const std::string& job, std::size_t task, TaskState::Cause cause) {
        queue[job][task] = {TaskState::Kind::ended, cause};
    }
    static void steps(Batch& batch, int count) {
        for (int i = 0; i < count; ++i)
            batch.step();
    }

    fs::path folder_;
    Profile profile_;
    Kept kept_;
};

TEST_F(BatchTest, ResultsAreCollectedAndTheFolderGoes) {
    const auto one = batch();
    one->require(runs(2));
    one->step();
    ASSERT_EQ(submitted.size(), 1U);
    EXPECT_EQ(submitted[0].tasks, 2U);
    EXPECT_EQ(submitted[0].seconds, 10 * 2 + 60);
    EXPECT_EQ(submitted[0].megabytes, 1000 * 1.5 + 100);
    work(0);
    one->step();
    EXPECT_FALSE(one->finished());
    work(1, "it fell over");
    one->step();
    EXPECT_TRUE(one->finished());
    EXPECT_EQ(one->counts().failed, 1U);
    EXPECT_EQ(kept_.runs.size(), 2U);
    one->clean_up();
    EXPECT_FALSE(fs::exists(folder_ / "batch"));
}

// An engine lists jobs that have ended for some time: they are not those of the next batch in the folder.
TEST_F(BatchTest, TheNextBatchInTheFolderHasJobsOfItsOwn) {
    {
        const auto one = batch();
        one->require(runs(1));
        one->step();
        end(submitted[0].name, 1, TaskState::Cause::none);
        work(0);
        one->step();
        one->clean_up();
    }
    for (int call = 0; call < 2; ++call) {
        const auto next = batch();
        next->require(runs(1));
        next->step();
        next->cancel();
    }
    ASSERT_EQ(submitted.size(), 3U);
    EXPECT_NE(submitted[0].name, submitted[1].name);
    EXPECT_NE(submitted[1].name, submitted[2].name);
    EXPECT_NE(submitted[0].name, submitted[2].name);
}

TEST_F(BatchTest, AnotherCallFindsTheJobs) {
    batch()->require(runs(2)); // ends before it submits
    {
        const auto one = batch();
        one->require(runs(2));
        one->step();
    }
    const auto two = batch();
    two->require(runs(2));
    steps(*two, 4);
    EXPECT_EQ(submitted.size(), 1U);
    EXPECT_EQ(two->counts().waiting, 2U);
}

TEST_F(BatchTest, AJobThatWasSubmittedByAKilledCallIsFoundByItsName) {
    {
        const auto one = batch();
        one->require(runs(2));
        one->step();
    }
    fs::remove(folder_ / "batch" / "jobs" / "1" / "submitted");
    const auto two = batch();
    two->require(runs(2));
    steps(*two, 4);
    EXPECT_EQ(submitted.size(), 1U);
    EXPECT_TRUE(fs::exists(folder_ / "batch" / "jobs" / "1" / "submitted"));
}

TEST_F(BatchTest, AJobThatNeverWasSubmittedIsForgotten) {
    {
        const auto one = batch();
        one->require(runs(1));
        one->step();
    }
    fs::remove(folder_ / "batch" / "jobs" / "1" / "submitted");
    queue.clear();
    const auto two = batch();
    two->require(runs(1));
    two->step();
    EXPECT_EQ(submitted.size(), 2U);
    EXPECT_NE(submitted[0].name, submitted[1].name);
}

TEST_F(BatchTest, OneCallAtATime) {
    const auto one = batch();
    try {
        (void)batch();
        FAIL() << "a second batch";
    } catch (const UserError& e) {
        EXPECT_THAT(e.what(), HasSubstr("another call of heddle looks after these jobs"));
    }
}

TEST_F(BatchTest, MemoryIsDoubledAfterItRanOut) {
    const auto one = batch();
    one->require(runs(1));
    one->step();
    end(submitted[0].name, 1, TaskState::Cause::out_of_memory);
    steps(*one, 2); // a file may be seen later than the end of its task
    ASSERT_EQ(submitted.size(), 2U);
    EXPECT_EQ(submitted[1].megabytes, 2 * submitted[0].megabytes + 100);
    EXPECT_EQ(submitted[1].seconds, submitted[0].seconds);
    EXPECT_THAT(one->take_messages(), ElementsAre(HasSubstr("1 runs have no result")));
}

// Of a task of three runs the first has a result, the second was cut, the third had not begun.
TEST_F(BatchTest, TimeIsDoubledForTheRunThatWasCut) {
    profile_.minutes = 10;
    std::vector<experiment::Run> three = runs(3);
    for (experiment::Run& run : three)
        run.expected.seconds = 5;
    const auto one = batch();
    one->require(three);
    one->step();
    ASSERT_EQ(submitted[0].tasks, 1U);
    ASSERT_EQ(submitted[0].seconds, 15 * 2 + 60);
    work(0);
    end(submitted[0].name, 1, TaskState::Cause::time_limit);
    steps(*one, 3);
    std::vector<double> limits; // 90 * 2 + 60 for the run of 90 s, 5 * 2 + 60 for the other
    for (std::size_t i = 1; i < submitted.size(); ++i)
        limits.push_back(submitted[i].seconds);
    EXPECT_THAT(limits, ElementsAre(240, 70));
}

TEST_F(BatchTest, ARunThatHasNoResultAfterAllAttemptsHasFailed) {
    const auto one = batch();
    one->require(runs(1));
    one->step();
    for (int attempt = 0; attempt < 2; ++attempt) {
        end(submitted.back().name, 1, TaskState::Cause::node_failed);
        steps(*one, 3);
    }
    EXPECT_EQ(submitted.size(), 2U);
    EXPECT_TRUE(one->finished());
    ASSERT_EQ(kept_.runs.size(), 1U);
    EXPECT_EQ(kept_.runs.begin()->second.failure, "no result after 2 attempts: the node failed");
}

TEST_F(BatchTest, AttemptsOfEarlierCallsCount) {
    for (int call = 0; call < 2; ++call) {
        const auto one = batch();
        one->require(runs(1));
        steps(*one, 3);
        end(submitted.back().name, 1, TaskState::Cause::none);
    }
    const auto last = batch();
    last->require(runs(1));
    steps(*last, 3);
    EXPECT_EQ(submitted.size(), 2U);
    EXPECT_TRUE(last->finished());
}

TEST_F(BatchTest, AResultThatComesLateIsTaken) {
    const auto one = batch();
    one->require(runs(1));
    one->step();
    queue.clear();
    one->step();
    work(0);
    one->step();
    EXPECT_TRUE(one->finished());
    EXPECT_EQ(submitted.size(), 1U);
}

TEST_F(BatchTest, TheQueueIsNotOverfilled) {
    places = 3;
    const auto one = batch();
    one->require(runs(5));
    steps(*one, 3);
    std::size_t tasks = 0;
    for (const Job& job : submitted)
        tasks += job.tasks;
    EXPECT_EQ(tasks, 3U);
    queue.begin()->second.erase(1);
    work(0);
    steps(*one, 1);
    EXPECT_EQ(submitted.back().tasks, 1U);
}

TEST_F(BatchTest, RunsThatFindNoPlaceInTheQueueAreNotSaidToBeSubmitted) {
    const auto one = batch();
    one->require(runs(1));
    one->step();
    end(submitted[0].name, 1, TaskState::Cause::none);
    queue["of another batch"] = {};
    for (std::size_t task = 1; task <= places; ++task)
        queue["of another batch"][task] = {};
    steps(*one, 5);
    EXPECT_EQ(submitted.size(), 1U);
    EXPECT_THAT(one->take_messages(), ElementsAre());
}

TEST_F(BatchTest, AnEngineThatDoesNotAnswerLosesNothing) {
    const auto one = batch();
    one->require(runs(1));
    one->step();
    gone = true;
    steps(*one, 5);
    EXPECT_EQ(submitted.size(), 1U);
    EXPECT_THAT(one->take_messages(), ElementsAre(HasSubstr("does not answer")));
    work(0);
    one->step();
    EXPECT_TRUE(one->finished());
}

TEST_F(BatchTest, ADamagedResultIsNone) {
    const auto one = batch();
    one->require(runs(1));
    one->step();
    work(0);
    const fs::path file = experiment::ResultFolder(folder_ / "batch" / "results").file_of(runs(1)[0].key);
    fs::resize_file(file, fs::file_size(file) - 1);
    queue.clear();
    steps(*one, 2);
    EXPECT_EQ(submitted.size(), 2U);
    EXPECT_FALSE(one->finished());
}

} // namespace
} // namespace heddle::batch

#include "processes.h"

#include <algorithm>
#include <csignal>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include <sys/syscall.h>

#include "child.h"

namespace heddle::cli {

using Kind = ProcessRecord::Kind;

Processes::~Processes() {
    for (const auto& [process, running] : running_)
        close(running.descriptor);
}

void Processes::read() {
    const std::size_t known = records_.size();
    records_ = read_process_records(log_.content());
    for (std::size_t i = known; i < records_.size(); ++i) {
        const auto& [kind, process, text] = records_[i];
        const int descriptor = kind == Kind::Uses && !running_.contains(process)
                                   ? static_cast<int>(syscall(SYS_pidfd_open, process, 0))
                                   : -1;
        if (descriptor >= 0)
            running_[process] = {descriptor};
    }
}

void Processes::drop_ended(int milliseconds) {
    std::vector<pollfd> watched;
    for (const auto& [process, running] : running_)
        watched.push_back({running.descriptor, POLLIN, 0});
    if (poll(watched.data(), watched.size(), milliseconds) <= 0)
        return;
    std::size_t next = 0;
    std::erase_if(running_, [&](const auto& one) {
        const bool ended = watched[next++].revents != 0;
        if (ended)
            close(one.second.descriptor);
        return ended;
    });
}

void Processes::look() {
    read();
    drop_ended(0);
    const int signal = SignalForwarder::for_descendants();
    if (signal == 0)
        return;
    siginfo_t queued{}; // the runtime tells it from a second Ctrl-C
    queued.si_signo = signal;
    queued.si_code = SI_QUEUE;
    for (auto& [process, running] : running_)
        if (!std::exchange(running.interrupted, true) && !SignalForwarder::has(process))
            (void)syscall(SYS_pidfd_send_signal, running.descriptor, signal, &queued, 0);
}

void Processes::wait() {
    constexpr int kLook = 500; // milliseconds
    for (look(); !running_.empty(); look())
        drop_ended(kLook);
    read(); // what they told at their end
}

std::size_t Processes::that_launched() const {
    return static_cast<std::size_t>(
        std::count_if(records_.begin(), records_.end(), [](const auto& r) { return r.kind == Kind::Launches; }));
}

bool Processes::have_written(const std::string& result) const {
    const auto first =
        std::find_if(records_.begin(), records_.end(), [](const auto& r) { return r.kind == Kind::Launches; });
    return std::any_of(records_.begin(), records_.end(), [&](const auto& r) {
        return r.kind == Kind::Wrote && r.text == result && (first == records_.end() || r.process == first->process);
    });
}

std::vector<std::string> Processes::result_files() const {
    std::vector<std::string> out;
    for (const ProcessRecord& first : records_)
        for (const ProcessRecord& record : records_)
            if (first.kind == Kind::Launches && record.kind == Kind::Wrote && record.process == first.process)
                out.push_back(record.text);
    return out;
}

std::string Processes::failure() const {
    const auto at =
        std::find_if(records_.begin(), records_.end(), [](const auto& r) { return r.kind == Kind::Failed; });
    return at == records_.end() ? std::string() : at->text;
}

} // namespace heddle::cli

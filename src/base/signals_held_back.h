// Signals are for the program's own threads: those that are started while one of these lives take none.
#pragma once

#include <csignal>
#include <pthread.h>

namespace heddle {

class SignalsHeldBack {
public:
    SignalsHeldBack() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsHeldBack() {
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    SignalsHeldBack(const SignalsHeldBack&) = delete;
    SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

private:
    sigset_t before_{};
};

} // namespace heddle

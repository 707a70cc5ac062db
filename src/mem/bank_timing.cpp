#include "mem/bank_timing.h"

#include <algorithm>

namespace heddle::mem {

BankTiming::BankTiming(const DramConfig& config)
    : t_wl_(config.t_wl), t_cl_(config.t_cl), t_rp_(config.t_rp), t_rc_(config.t_rc), t_ras_(config.t_ras),
      t_rcd_(config.t_rcd), t_rrd_(config.t_rrd), t_ccd_l_(config.t_ccd_l), t_wr_(config.t_wr),
      t_rtp_(std::max(config.t_rtp, config.t_rtp_l)), t_rtp_l_(config.t_rtp_l), burst_(config.burst_clocks()),
      same_direction_(std::max(config.t_ccd, burst_)), write_to_read_(config.t_wl + burst_ + config.t_wtr),
      groups_(static_cast<unsigned>(config.bank_groups)), group_mask_(groups_ - 1) {
    // t_cl + burst - t_wl keeps the data of the two apart; t_wl may be the longer one.
    const Cycle bus = t_cl_ + burst_ > t_wl_ ? t_cl_ + burst_ - t_wl_ : 0;
    read_to_write_ = std::max({bus, config.t_rtw, config.t_ccd});
    write_to_read_ = std::max(write_to_read_, config.t_ccd);
    for (unsigned bank = 0; bank < config.banks; ++bank)
        members_[bank & group_mask_] |= BankMask{1} << bank;
}

BankMask BankTiming::allowed(DramCommand command, BankMask banks, Cycle now) const {
    if (banks == 0 || now < channel_at_[static_cast<unsigned>(command)])
        return 0;
    if (command == DramCommand::Activate)
        return banks;
    const Times& group_at = group_rule(command);
    for (unsigned g = 0; g < groups_; ++g)
        if (group_at[g] > now)
            banks &= ~members_[g];
    return banks;
}

Cycle BankTiming::first(DramCommand command, BankMask banks) const {
    if (banks == 0)
        return kNever;
    const Cycle channel = channel_at_[static_cast<unsigned>(command)];
    if (command == DramCommand::Activate)
        return channel;
    const Times& group_at = group_rule(command);
    Cycle earliest = kNever;
    for (unsigned g = 0; g < groups_; ++g)
        if ((banks & members_[g]) != 0)
            earliest = std::min(earliest, group_at[g]);
    return std::max(earliest, channel);
}

void BankTiming::activate(unsigned bank, Cycle now) {
    activate_at_[bank] = now + t_rc_;
    precharge_at_[bank] = now + t_ras_;
    column_at_[bank] = now + t_rcd_;
    channel_at(DramCommand::Activate) = now + t_rrd_;
}

void BankTiming::precharge(unsigned bank, Cycle now) {
    activate_at_[bank] = std::max(activate_at_[bank], now + t_rp_);
}

Cycle BankTiming::read(unsigned bank, Cycle now) {
    const unsigned group = bank & group_mask_;
    precharge_at_[bank] = std::max(precharge_at_[bank], now + t_rtp_);
    group_precharge_at_[group] = now + t_rtp_l_;
    group_column_at_[group] = now + t_ccd_l_;
    channel_at(DramCommand::Read) = now + same_direction_;
    channel_at(DramCommand::Write) = now + read_to_write_;
    return now + t_cl_ + burst_;
}

Cycle BankTiming::write(unsigned bank, Cycle now) {
    const Cycle end = now + t_wl_ + burst_;
    precharge_at_[bank] = std::max(precharge_at_[bank], end + t_wr_);
    group_column_at_[bank & group_mask_] = now + t_ccd_l_;
    channel_at(DramCommand::Read) = now + write_to_read_;
    channel_at(DramCommand::Write) = now + same_direction_;
    return end;
}

void BankTiming::hold_columns(unsigned bank, Cycle until) {
    column_at_[bank] = std::max(column_at_[bank], until);
}

} // namespace heddle::mem

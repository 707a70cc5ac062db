#include "mem/dram/bank_timing.h"

#include <algorithm>

namespace heddle::mem {

BankTiming::BankTiming(const DramConfig& config)
    : t_wl_(config.t_wl), t_cl_(config.t_cl), t_rp_(config.t_rp), t_rc_(config.t_rc), t_ras_(config.t_ras),
      t_rcd_(config.t_rcd), t_rcd_write_(config.t_rcd_write != 0 ? config.t_rcd_write : config.t_rcd),
      t_rrd_(config.t_rrd), t_ccd_l_(config.t_ccd_l), t_wr_(config.t_wr),
      t_rtp_(std::max(config.t_rtp, config.t_rtp_l)), t_rtp_l_(config.t_rtp_l), t_faw_(config.t_faw),
      t_rfc_(config.t_rfc), t_rfc_bank_(config.t_rfc_bank), banks_(static_cast<unsigned>(config.banks)),
      burst_(config.burst_clocks()), same_direction_(std::max(config.t_ccd, burst_)),
      write_to_read_(config.t_wl + burst_ + config.t_wtr),
      write_to_read_l_(config.t_wtr_l != 0 ? std::max(t_ccd_l_, config.t_wl + burst_ + config.t_wtr_l) : t_ccd_l_),
      group_mask_(static_cast<unsigned>(config.bank_groups - 1)) {
    // t_cl + burst - t_wl keeps the data of the two apart; t_wl may be the longer one.
    const Cycle bus = t_cl_ + burst_ > t_wl_ ? t_cl_ + burst_ - t_wl_ : 0;
    read_to_write_ = std::max({bus, config.t_rtw, config.t_ccd});
    write_to_read_ = std::max(write_to_read_, config.t_ccd);
    for (unsigned bank = 0; bank < config.banks; ++bank)
        members_[bank & group_mask_] |= BankMask{1} << bank;
}

void BankTiming::activate(unsigned bank, Cycle now) {
    of(bank_at_, DramCommand::Activate, bank) = now + t_rc_;
    of(bank_at_, DramCommand::Precharge, bank) = now + t_ras_;
    of(bank_at_, DramCommand::Read, bank) = now + t_rcd_;
    of(bank_at_, DramCommand::Write, bank) = now + t_rcd_write_;
    window_[window_next_] = now + t_faw_;
    window_next_ = (window_next_ + 1) % window_.size();
    set_channel(DramCommand::Activate, std::max(now + t_rrd_, window_[window_next_]));
}

void BankTiming::precharge(unsigned bank, Cycle now) {
    put_off(of(bank_at_, DramCommand::Activate, bank), now + t_rp_);
}

Cycle BankTiming::read(unsigned bank, Cycle now) {
    put_off(of(bank_at_, DramCommand::Precharge, bank), now + t_rtp_);
    of(group_at_, DramCommand::Precharge, bank & group_mask_) = now + t_rtp_l_;
    put_off_columns_of_group(bank, now + t_ccd_l_, now + t_ccd_l_);
    set_channel(DramCommand::Read, now + same_direction_);
    set_channel(DramCommand::Write, now + read_to_write_);
    return now + t_cl_ + burst_;
}

Cycle BankTiming::write(unsigned bank, Cycle now) {
    const Cycle end = now + t_wl_ + burst_;
    put_off(of(bank_at_, DramCommand::Precharge, bank), end + t_wr_);
    put_off_columns_of_group(bank, now + write_to_read_l_, now + t_ccd_l_);
    set_channel(DramCommand::Read, now + write_to_read_);
    set_channel(DramCommand::Write, now + same_direction_);
    return end;
}

void BankTiming::put_off_columns_of_group(unsigned bank, Cycle read, Cycle write) {
    of(group_at_, DramCommand::Read, bank & group_mask_) = read;
    of(group_at_, DramCommand::Write, bank & group_mask_) = write;
}

void BankTiming::refresh(Cycle now) {
    for (unsigned bank = 0; bank < banks_; ++bank)
        now = std::max(now, of(bank_at_, DramCommand::Activate, bank));
    for (unsigned bank = 0; bank < banks_; ++bank)
        put_off(of(bank_at_, DramCommand::Activate, bank), now + t_rfc_);
}

void BankTiming::refresh_bank(unsigned bank, Cycle now) {
    Cycle& activate = of(bank_at_, DramCommand::Activate, bank);
    activate = std::max(activate, now) + t_rfc_bank_;
}

void BankTiming::hold_all(Cycle until) {
    for (unsigned bank = 0; bank < banks_; ++bank)
        for (Cycle& at : bank_at_[bank].at)
            put_off(at, until);
}

void BankTiming::hold_columns(unsigned bank, Cycle until) {
    put_off(of(bank_at_, DramCommand::Read, bank), until);
    put_off(of(bank_at_, DramCommand::Write, bank), until);
}

} // namespace heddle::mem

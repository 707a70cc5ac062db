// Made by tools/fit-math special: polynomials of the device's math functions, evaluated with fma from the highest term.
#pragma once
#pragma GCC system_header

#include "math_polynomials.h"

namespace heddle_math {

// erfinv(x)/x - 7/8 in x*x, |x| <= 0.5625
HEDDLE_MATH_INLINE float erfinv_small_polynomial(float x) {
    return horner(x, 0x1.0053f40000000p-3f, 0x1.10243c0000000p-7f, 0x1.3424440000000p-4f, 0x1.5d9cea0000000p-4f, 0x1.055e460000000p-3f, 0x1.db294c0000000p-3f, 0x1.6fe2500000000p-7f);
}
HEDDLE_MATH_INLINE double erfinv_small_polynomial(double x) {
    return horner(x, 0x1.ed2bbcf6f9f29p-3, -0x1.6a0de3d93fde2p-2, 0x1.4c4563ec6003ap-2, -0x1.16b0447ff1afep-3, 0x1.3c5f49c8be36ep-4, 0x1.793e55482a840p-7, 0x1.f2072826ee004p-6, 0x1.010587a5999fdp-5, 0x1.2af888295f24bp-5, 0x1.5ee6fbd4561efp-5, 0x1.a7c88d0c57f3dp-5, 0x1.0a1317e226448p-4, 0x1.62847c4b3c0d9p-4, 0x1.053c2c0ab506ep-3, 0x1.db29fb2fee622p-3, 0x1.6fe246d3bdaa9p-7);
}

// erfinv(x)/x - 5/4 in w - 3, w = -log(1 - x*x), 0.25 <= w <= 6
HEDDLE_MATH_INLINE float erfinv_polynomial(float x) {
    return horner(x, 0x1.9c7ad40000000p-31f, -0x1.7ea6460000000p-28f, -0x1.6642ba0000000p-26f, 0x1.e309420000000p-22f, -0x1.d7eb700000000p-20f, -0x1.aaabda0000000p-17f, 0x1.991ada0000000p-13f, -0x1.b666540000000p-11f, -0x1.780e0e0000000p-8f, 0x1.eedbec0000000p-3f, 0x1.7e81cc0000000p-2f);
}
HEDDLE_MATH_INLINE double erfinv_polynomial(double x) {
    return horner(x, 0x1.00c0482c51805p-68, -0x1.20a75ef47a85ep-67, -0x1.9d03ca4cfe038p-62, 0x1.1cf0101fc3d29p-59, 0x1.bd0e6d5d98ee7p-57, -0x1.72163db89fb4fp-53, 0x1.465aa4aeccc84p-52, 0x1.c73983143fb9fp-48, -0x1.dd510320a89e3p-45, 0x1.c8302be81264fp-48, 0x1.7be2e1c19285bp-39, -0x1.30db7173eb594p-36, -0x1.146e03ba03801p-35, 0x1.315587df6eab7p-30, -0x1.77b399954e056p-28, -0x1.96f821ac2eca5p-26, 0x1.e32b0d250211cp-22, -0x1.d539ca0bb7dedp-20, -0x1.aab13d1b63420p-17, 0x1.9912c04a44796p-13, -0x1.b6666b152c59ap-11, -0x1.780def1d3f2dcp-8, 0x1.eedbebdce73e8p-3, 0x1.7e81cbb5cb6eep-2);
}

// erfinv(x)/x - 3 in sqrt(w) - 3.3, 2.44 <= sqrt(w) <= 4.16
HEDDLE_MATH_INLINE float erfinv_middle_polynomial(float x) {
    return horner(x, 0x1.0ee6f60000000p-14f, -0x1.52fa200000000p-16f, -0x1.6f55c80000000p-12f, 0x1.cb00400000000p-11f, -0x1.73c1e60000000p-10f, 0x1.1236840000000p-9f, -0x1.afa0780000000p-9f, 0x1.3d7f8c0000000p-8f, 0x1.017a160000000p+0f, 0x1.12c3460000000p-3f);
}
HEDDLE_MATH_INLINE double erfinv_middle_polynomial(double x) {
    return horner(x, -0x1.8b535393d2af1p-30, 0x1.901c5b2556ed2p-28, -0x1.287e9243cbadfp-28, -0x1.d0a158637c6c9p-26, 0x1.bf449443607b7p-24, -0x1.3ee401de755e2p-23, -0x1.82c29aa2a45fcp-23, 0x1.781f9b2eb986bp-20, -0x1.8ed824e5bd907p-19, 0x1.69a5fc295e0ccp-21, 0x1.c57719b344f73p-17, -0x1.50803c0c58761p-15, 0x1.8544d58f2b5a4p-15, 0x1.a0eda6976b539p-15, -0x1.647a14deb6f82p-12, 0x1.b3dfedeb962a0p-11, -0x1.746e397b575f1p-10, 0x1.13b879fc53d8ep-9, -0x1.af98bc42a78f5p-9, 0x1.3d6dd0a4b4cfep-8, 0x1.017a15c4dabb3p+0, 0x1.12c3480d97adep-3);
}

// erfinv(x)/x - 7 in sqrt(w) - 7.25, 4.1 <= sqrt(w) <= 10.4
HEDDLE_MATH_INLINE float erfinv_far_polynomial(float x) {
    return horner(x, 0x1.0904fc0000000p-32f, -0x1.cdc17c0000000p-30f, 0x1.5302700000000p-28f, -0x1.0870fc0000000p-25f, 0x1.00b2700000000p-22f, -0x1.4fbc260000000p-20f, 0x1.1fbbe20000000p-18f, 0x1.8185540000000p-17f, -0x1.093cea0000000p-11f, 0x1.0222a00000000p+0f, 0x1.f02cf80000000p-4f);
}
HEDDLE_MATH_INLINE double erfinv_far_polynomial(double x) {
    return horner(x, 0x1.e4645a209a578p-73, -0x1.6ce653407b416p-70, -0x1.51d533e4f00c4p-67, 0x1.3212ff02905dap-64, 0x1.4f1c512d2718bp-63, -0x1.8fcaa58900151p-60, -0x1.d3db0b41b09acp-60, 0x1.501cff21f718dp-56, 0x1.9249089a4530bp-57, -0x1.7842d41dc8299p-53, -0x1.04439feb68861p-54, 0x1.30d15ed26a3d6p-50, 0x1.6f21a629e6e3bp-54, -0x1.1e04a57959b87p-48, -0x1.e28337085f26dp-48, 0x1.1d6e1e8bb6af7p-44, -0x1.9036016af53e7p-42, 0x1.6b3bc7513dd64p-39, -0x1.4c66db3f52d4fp-36, 0x1.25de805cdf6e2p-33, -0x1.fa5bf40e3320dp-31, 0x1.a6a5d744bdd83p-28, -0x1.514213136286fp-25, 0x1.f5483996206d7p-23, -0x1.45484fbd958cap-20, 0x1.206d7afb1a10dp-18, 0x1.7f235d1ca9c09p-17, -0x1.093d9bd66c034p-11, 0x1.02229fc085c64p+0, 0x1.f02cf848bf7b5p-4);
}

// erfinv(x)/x in sqrt(w) - 18.8, 10.2 <= sqrt(w) <= 27.4
HEDDLE_MATH_INLINE double erfinv_farthest_polynomial(double x) {
    return horner(x, -0x1.0ece0bfb48f4cp-101, 0x1.37794aea43a9ap-97, 0x1.c30a87300862bp-95, -0x1.0b0d152fea26dp-90, -0x1.8c7810dc9fd78p-86, 0x1.beedaa1b6c33ap-82, -0x1.7bdca3f60da48p-79, 0x1.8bff41fd200cap-75, -0x1.1e107037128cep-70, 0x1.249c0ee26e9e5p-66, -0x1.101c9153bcdfdp-62, 0x1.ef966e0fd626fp-59, -0x1.90280cd31891bp-55, 0x1.c989ca4a34013p-52, 0x1.748091dbb8b4ep-50, -0x1.d517e9847bf4ap-43, 0x1.137dffdb2b276p-37, -0x1.fd5d455ef3ed0p-33, 0x1.aae27559d2f9bp-28, -0x1.54fba07bd4516p-23, 0x1.0ab1f6672211cp-18, -0x1.a192615520661p-14, 0x1.00a8b3646263dp+0, 0x1.2b9a05fddc726p+4);
}

// 1 / Gamma(1 + u), |u| <= 1/2
HEDDLE_MATH_INLINE float rgamma_polynomial(float x) {
    return horner(x, -0x1.1ea1f40000000p-10f, 0x1.d0e4820000000p-8f, -0x1.3bbbaa0000000p-7f, -0x1.597d4e0000000p-5f, 0x1.5512b00000000p-3f, -0x1.5819620000000p-5f, -0x1.4fcf400000000p-1f, 0x1.2788d00000000p-1f, 0x1.0000000000000p+0f);
}
HEDDLE_MATH_INLINE double rgamma_polynomial(double x) {
    return horner(x, -0x1.af689b732b9c4p-23, 0x1.31846253ea7c4p-20, -0x1.5027f37f4e366p-20, -0x1.51d6735f037b2p-16, 0x1.0c8aa7bf921fep-13, -0x1.c364cf11da728p-13, -0x1.31711368048fcp-10, 0x1.d919c501a65ffp-8, -0x1.3b4af283815d5p-7, -0x1.59af103bf41c3p-5, 0x1.5512320b439c2p-3, -0x1.5815e8fa287dep-5, -0x1.4fcf4026afa2bp-1, 0x1.2788cfc6fb61bp-1, 0x1.0000000000000p+0);
}

// x (log Gamma(x) - (x - 1/2) log(x) + x - log(2 pi)/2) in 1/x^2, x >= 4.5 (float) or 7.5 (double)
HEDDLE_MATH_INLINE float binet_polynomial(float x) {
    return horner(x, 0x1.8a9ee20000000p-11f, -0x1.6bfdd20000000p-9f, 0x1.5555540000000p-4f);
}
HEDDLE_MATH_INLINE double binet_polynomial(double x) {
    return horner(x, -0x1.a8e97ef60d830p-10, 0x1.b65a348739266p-11, -0x1.380ca74cd47edp-11, 0x1.a019fa666b35cp-11, -0x1.6c16c16b635a9p-9, 0x1.5555555555550p-4);
}

// log Gamma(1 + u) / u, |u| <= 1/2
HEDDLE_MATH_INLINE float lgamma_one_polynomial(float x) {
    return horner(x, 0x1.5491500000000p-3f, -0x1.6be5000000000p-3f, 0x1.72eace0000000p-5f, -0x1.9e23740000000p-5f, 0x1.b6a08e0000000p-4f, -0x1.e660b80000000p-4f, 0x1.ff7a740000000p-4f, -0x1.25a1840000000p-3f, 0x1.5b4f0a0000000p-3f, -0x1.a8c8dc0000000p-3f, 0x1.1513060000000p-2f, -0x1.9a4d380000000p-2f, 0x1.a51a660000000p-1f, -0x1.2788d00000000p-1f);
}
HEDDLE_MATH_INLINE double lgamma_one_polynomial(double x) {
    return horner(x, 0x1.bdb3d7629dd5ep-3, -0x1.cc35b376ce280p-3, -0x1.3046d605c1822p-3, 0x1.3914b3aa0e424p-3, 0x1.1ef5d11df4a3dp-3, -0x1.28eb1f4f52ce4p-3, 0x1.b4fc9a43dac9fp-7, -0x1.db7126487ed80p-7, 0x1.d2f7f4a6085fbp-5, -0x1.ea4aa627b4073p-5, 0x1.be79bd2aebac5p-5, -0x1.d8fbcda10e84fp-5, 0x1.007509e47a025p-4, -0x1.118acc50ec441p-4, 0x1.248e72b0a7186p-4, -0x1.3b14e848a2d53p-4, 0x1.556b3fe9a66f6p-4, -0x1.748ca0044fd2dp-4, 0x1.9a01e02e1bc0ep-4, -0x1.c8066cfb76ec6p-4, 0x1.010b36b799ac3p-3, -0x1.2703a1e53cd44p-3, 0x1.5b40cb0ff7e2cp-3, -0x1.a8b9c17a91284p-3, 0x1.151322ac7d8e9p-2, -0x1.9a4d55beab37cp-2, 0x1.a51a6625307d3p-1, -0x1.2788cfc6fb619p-1);
}

// log Gamma(2 + u) / u, |u| <= 1/2
HEDDLE_MATH_INLINE float lgamma_two_polynomial(float x) {
    return horner(x, 0x1.dbf0840000000p-14f, -0x1.0a25820000000p-12f, 0x1.098f940000000p-11f, -0x1.36ddb80000000p-10f, 0x1.7ae6fe0000000p-9f, -0x1.e40f700000000p-8f, 0x1.5132220000000p-6f, -0x1.13dffc0000000p-4f, 0x1.4a34cc0000000p-2f, 0x1.b0ee600000000p-2f);
}
HEDDLE_MATH_INLINE double lgamma_two_polynomial(double x) {
    return horner(x, 0x1.2703c6effc4ebp-22, -0x1.37fd97eeee99dp-21, 0x1.f038cb2f6a913p-21, -0x1.08fccc794a9c7p-19, 0x1.2620de1c78d97p-18, -0x1.3d4ce65b1d70bp-17, 0x1.5808af19fa483p-16, -0x1.78d8f868f383fp-15, 0x1.a127cd91ac95bp-14, -0x1.d3fd6a9087d23p-13, 0x1.0b36af5972ed1p-11, -0x1.38ac5bfce42c1p-10, 0x1.7add6eadfcc7bp-9, -0x1.e404fc21d8fe7p-8, 0x1.51322ac7d8333p-6, -0x1.13e001a557555p-4, 0x1.4a34cc4a60fa6p-2, 0x1.b0ee6072093cep-2);
}

// (I0(x) - 1) / x^2 in x*x, 0 <= x <= 8
HEDDLE_MATH_INLINE float i0_polynomial(float x) {
    return horner(x, 0x1.48dcdc0000000p-63f, 0x1.5d50a60000000p-56f, 0x1.6eb4d40000000p-47f, 0x1.4cf3400000000p-39f, 0x1.037dd20000000p-31f, 0x1.2331280000000p-24f, 0x1.c71f960000000p-18f, 0x1.c71c320000000p-12f, 0x1.0000020000000p-6f, 0x1.0000000000000p-2f);
}
HEDDLE_MATH_INLINE double i0_polynomial(double x) {
    return horner(x, 0x1.2069052b0b501p-110, 0x1.0d6a26a87e4bcp-101, 0x1.f3ce33d9e3b74p-92, 0x1.40852a1bdf9fbp-82, 0x1.69eac23652b1dp-73, 0x1.55fedb223c9d2p-64, 0x1.0b315b8692d2bp-55, 0x1.522a407351c9ap-47, 0x1.522a442ca7776p-39, 0x1.02e85c06594fcp-31, 0x1.23456789cad8fp-24, 0x1.c71c71c71a6dep-18, 0x1.c71c71c71c835p-12, 0x1.ffffffffffff8p-7, 0x1.0000000000000p-2);
}

// (I1(x)/x - 1/2) / x^2 in x*x, 0 <= x <= 8
HEDDLE_MATH_INLINE float i1_polynomial(float x) {
    return horner(x, 0x1.98e6820000000p-59f, 0x1.8f6a600000000p-52f, 0x1.6ce5200000000p-43f, 0x1.23d9340000000p-35f, 0x1.8512de0000000p-28f, 0x1.6c04d60000000p-21f, 0x1.c71e340000000p-15f, 0x1.5555440000000p-9f, 0x1.0000000000000p-4f);
}
HEDDLE_MATH_INLINE double i1_polynomial(double x) {
    return horner(x, 0x1.0de5feba703f0p-105, 0x1.d892c2fceb55ep-97, 0x1.95d56d9359db3p-87, 0x1.e0d93f6b67641p-78, 0x1.f19fdd5da5ec2p-69, 0x1.ab7ee5b429f4fp-60, 0x1.2c97808e3b0bep-51, 0x1.522a412013551p-43, 0x1.27e4fb9ab6211p-35, 0x1.845c8a0ab0b98p-28, 0x1.6c16c16c2bec6p-21, 0x1.c71c71c71b9ddp-15, 0x1.555555555558ap-9, 0x1.fffffffffffffp-5);
}

// exp(-x) sqrt(x) I0(x) in 16/x - 1, x >= 8
HEDDLE_MATH_INLINE float i0_large_polynomial(float x) {
    return horner(x, 0x1.7cec3c0000000p-22f, 0x1.b7f9f60000000p-20f, 0x1.7532980000000p-17f, 0x1.1d8a480000000p-13f, 0x1.b879740000000p-9f, 0x1.9bd4280000000p-2f);
}
HEDDLE_MATH_INLINE double i0_large_polynomial(double x) {
    return horner(x, 0x1.de985e80c26e1p-34, 0x1.36172c123f453p-35, -0x1.9ae1031554e04p-31, -0x1.2e287745e1a2ep-32, 0x1.499ae7b4d59c2p-29, 0x1.2c4a86bc0bfefp-30, -0x1.4d2b550bd6e76p-28, -0x1.ac9afa081a33ep-29, 0x1.d29741886cb2dp-28, 0x1.f7410b7f70fd0p-28, -0x1.62c3f99ada19fp-28, -0x1.c9aa2ffce2ca1p-27, -0x1.d3b411548af05p-28, 0x1.02cf9254e7670p-27, 0x1.7257db9ed6674p-26, 0x1.51d5f84cd03f6p-25, 0x1.7d0e5f25bc841p-24, 0x1.3f49933733f90p-22, 0x1.8e513accc76a3p-20, 0x1.75e5ee7822f78p-17, 0x1.1daa72b5e2366p-13, 0x1.b87969bb93a48p-9, 0x1.9bd428ad249a5p-2);
}

// exp(-x) sqrt(x) I1(x) in 16/x - 1, x >= 8
HEDDLE_MATH_INLINE float i1_large_polynomial(float x) {
    return horner(x, -0x1.ba7ad00000000p-22f, -0x1.0dba9c0000000p-19f, -0x1.f7d43c0000000p-17f, -0x1.cba1120000000p-13f, -0x1.3f79640000000p-7f, 0x1.8ebe780000000p-2f);
}
HEDDLE_MATH_INLINE double i1_large_polynomial(double x) {
    return horner(x, -0x1.f23ff1f27dca9p-34, -0x1.1f6f8a3689d3bp-35, 0x1.ac4bf6a87bc29p-31, 0x1.1be99bbf474cep-32, -0x1.5873a50ddf275p-29, -0x1.1ff732137576bp-30, 0x1.5e0ee1eae723fp-28, 0x1.a62d3a5241febp-29, -0x1.f053fd33757dcp-28, -0x1.fec28b5e30e16p-28, 0x1.89426861550d7p-28, 0x1.df68969b0012bp-27, 0x1.d2f43270388f8p-28, -0x1.20dfa102cdc55p-27, -0x1.91b62a0449ae7p-26, -0x1.7280f7124367dp-25, -0x1.ad8c9576be72ap-24, -0x1.76136c8d9dbb3p-22, -0x1.ec8e10cda9622p-20, -0x1.f89c230c1c6c7p-17, -0x1.cbc54df1e8a30p-13, -0x1.3f796198ee5e3p-7, 0x1.8ebe783a84030p-2);
}

// J0(x) over its zeros 5.78, 30.47 and 74.89 in x*x, in x*x/32 - 1, 0 <= x <= 8
HEDDLE_MATH_INLINE float j0_polynomial(float x) {
    return horner(x, 0x1.665e5a0000000p-34f, -0x1.3ca2940000000p-30f, 0x1.c1a3be0000000p-27f, -0x1.fec17a0000000p-24f, 0x1.bc24920000000p-21f, -0x1.19a1bc0000000p-18f, 0x1.e3fa7c0000000p-17f, -0x1.ef7b160000000p-16f, 0x1.bf54760000000p-16f);
}
HEDDLE_MATH_INLINE double j0_polynomial(double x) {
    return horner(x, -0x1.bcd3e5d5f79f9p-57, 0x1.af03856efa6efp-52, -0x1.6bf304b12280ap-47, 0x1.0b0eecf7ede2ap-42, -0x1.4f8dc8bd82ed5p-38, 0x1.64040c564e8b1p-34, -0x1.39ad2e53c999ap-30, 0x1.c1a7453a931c2p-27, -0x1.feca5d1cd8213p-24, 0x1.bc248dfa432f8p-21, -0x1.19a1b2886dd68p-18, 0x1.e3fa7b13ac12bp-17, -0x1.ef7b16178a92ep-16, 0x1.bf5476c0ed835p-16);
}

// J1(x)/x over its zeros 14.68, 49.22 and 103.5 in x*x, in x*x/32 - 1, 0 <= x <= 8
HEDDLE_MATH_INLINE float j1_polynomial(float x) {
    return horner(x, -0x1.b946a20000000p-35f, 0x1.5a83600000000p-31f, -0x1.acbca60000000p-28f, 0x1.9e28ec0000000p-25f, -0x1.2718c40000000p-22f, 0x1.20d18a0000000p-20f, -0x1.568e3c0000000p-19f, 0x1.6e07fc0000000p-19f);
}
HEDDLE_MATH_INLINE double j1_polynomial(double x) {
    return horner(x, 0x1.a5f91e20f9c03p-57, -0x1.7c9936c3b2807p-52, 0x1.2945d67b3b23ep-47, -0x1.90bb69e9dfd41p-43, 0x1.ca79934602f83p-39, -0x1.b623201665560p-35, 0x1.56eb395dfdcb5p-31, -0x1.acc0923d8b137p-28, 0x1.9e31ea49a5d2bp-25, -0x1.2718c18803c7ep-22, 0x1.20d17aa0a1734p-20, -0x1.568e3cbb4ee82p-19, 0x1.6e07fc146ce70p-19);
}

// (Y0(x) - (2/pi) log(x/c) J0(x)) / (x*x - c*c) in x*x, Y0(c) = 0, 0 <= x <= 2
HEDDLE_MATH_INLINE float y0_polynomial(float x) {
    return horner(x, 0x1.add9100000000p-24f, -0x1.4b1d780000000p-17f, 0x1.2685820000000p-11f, -0x1.12582a0000000p-6f, 0x1.7508120000000p-3f);
}
HEDDLE_MATH_INLINE double y0_polynomial(double x) {
    return horner(x, 0x1.ef66776699d8ap-55, -0x1.3bfe05f9e1924p-46, 0x1.2eb2927506f81p-38, -0x1.b796fcec32635p-31, 0x1.cf0413c86ca69p-24, -0x1.4c030d998c715p-17, 0x1.268a9aaaeae0ep-11, -0x1.12583f4a4abcbp-6, 0x1.750811790a13cp-3);
}

// Y0(x) / (x - 3.957...) in x - 3.75, 2 <= x <= 5.5
HEDDLE_MATH_INLINE float y0_second_polynomial(float x) {
    return horner(x, -0x1.8f7fcc0000000p-27f, 0x1.b48f680000000p-25f, -0x1.b834f40000000p-25f, -0x1.37c6ac0000000p-22f, -0x1.2dc5d00000000p-18f, 0x1.e537280000000p-15f, 0x1.0b7d6e0000000p-13f, -0x1.34461e0000000p-9f, -0x1.4550940000000p-8f, 0x1.fda4580000000p-5f, 0x1.a5bd320000000p-6f, -0x1.a460200000000p-2f);
}
HEDDLE_MATH_INLINE double y0_second_polynomial(double x) {
    return horner(x, -0x1.08b7ce594fa83p-53, 0x1.00e5f5eec8c0fp-51, 0x1.3eed58983fa00p-51, -0x1.330c541fad03ap-49, -0x1.ad2cb7f936715p-47, 0x1.a276f18c2aa4cp-45, -0x1.60d457cdde141p-44, 0x1.5cdcf0e30ab2cp-42, -0x1.b9d31d4949203p-40, 0x1.b4f0ea8e8e29ep-38, -0x1.a41513de8f622p-36, 0x1.a2c2096dc630ep-34, -0x1.a1ceb9d15593bp-32, 0x1.9be62fc022e7cp-30, -0x1.b5daded2d5d17p-28, 0x1.02080ffd6ace3p-25, -0x1.33ac2b44c3602p-24, -0x1.c24e17853d731p-23, -0x1.2b79ef8968dc2p-18, 0x1.e41455fbba176p-15, 0x1.0b6fd9d5ce83cp-13, -0x1.3442c1540c774p-9, -0x1.4550764e5b5c1p-8, 0x1.fda4493328919p-5, 0x1.a5bd31c016b86p-6, -0x1.a46020b3548efp-2);
}

// Y0(x) / (x - 7.086...) in x - 6.75, 5.5 <= x <= 8
HEDDLE_MATH_INLINE float y0_third_polynomial(float x) {
    return horner(x, 0x1.4f7cc80000000p-21f, 0x1.0d7c720000000p-20f, -0x1.a69fae0000000p-15f, -0x1.66a6540000000p-15f, 0x1.31923e0000000p-9f, 0x1.1ba80c0000000p-12f, -0x1.9860880000000p-5f, 0x1.858bbc0000000p-7f, 0x1.34eee40000000p-2f);
}
HEDDLE_MATH_INLINE double y0_third_polynomial(double x) {
    return horner(x, -0x1.1a2257f4e1e2bp-43, -0x1.9661b8383018fp-41, 0x1.1fe8f1c0ea17fp-35, 0x1.d3fbdc060cb66p-34, -0x1.6f5018ff6f232p-28, -0x1.df487ae2ffea1p-27, 0x1.596eaa08c60e2p-21, 0x1.1a6af664bcf08p-20, -0x1.a6ce14e73a5fap-15, -0x1.671ee28d05f8cp-15, 0x1.31928eb784643p-9, 0x1.1bae915954af0p-12, -0x1.986087c7fc3b0p-5, 0x1.858bb5a4fa6f9p-7, 0x1.34eee4b2f27c7p-2);
}

// (Y1(x) - (2/pi) (log(x) J1(x) - 1/x)) / x in x*x, 0 <= x <= 1.25
HEDDLE_MATH_INLINE float y1_polynomial(float x) {
    return horner(x, -0x1.0140860000000p-20f, 0x1.2c4b9a0000000p-14f, -0x1.835ab80000000p-9f, 0x1.bd39740000000p-5f, -0x1.9186620000000p-3f);
}
HEDDLE_MATH_INLINE double y1_polynomial(double x) {
    return horner(x, 0x1.23a09818637b8p-42, -0x1.f0ac6a2581a2dp-35, 0x1.32e57844348cfp-27, -0x1.0a780a8631e48p-20, 0x1.2c7dbffc76d0dp-14, -0x1.835b97894b439p-9, 0x1.bd3975c75b49bp-5, -0x1.91866143cbc8ap-3);
}

// Y1(x) / (x - 2.197...) in x - 2.625, 1.25 <= x <= 4
HEDDLE_MATH_INLINE float y1_first_polynomial(float x) {
    return horner(x, 0x1.f7b7fa0000000p-22f, -0x1.4a0bfa0000000p-20f, -0x1.c177180000000p-24f, 0x1.2dd52e0000000p-22f, 0x1.22f6d80000000p-17f, -0x1.7d05ec0000000p-16f, 0x1.8100360000000p-15f, -0x1.dad74e0000000p-14f, 0x1.26f50c0000000p-12f, -0x1.223ecc0000000p-10f, 0x1.f362ae0000000p-9f, 0x1.1ead020000000p-8f, -0x1.0a14960000000p-5f, -0x1.2dac6c0000000p-3f, 0x1.db09f20000000p-2f);
}
HEDDLE_MATH_INLINE double y1_first_polynomial(double x) {
    return horner(x, 0x1.6768c124fe22fp-42, -0x1.d7a6028d62a72p-41, -0x1.5ccf01e05ee9fp-39, 0x1.c9c017ca3eb20p-38, 0x1.e844dd858274fp-37, -0x1.405f8486d5f21p-35, -0x1.d51d16d2af2f9p-36, 0x1.33d9947b6a104p-34, 0x1.2de7ca10df5a9p-33, -0x1.8c1a9b77d4c98p-32, 0x1.85f4bd4c810fap-32, -0x1.ff4cb3314cb34p-31, 0x1.ba925dce882e3p-29, -0x1.221f4db77fdf5p-27, 0x1.6f607a365153ep-26, -0x1.e16c46e36802bp-25, 0x1.3c76a10ccf8a7p-23, -0x1.9e67b3e70d509p-22, 0x1.0f1d75d85e295p-20, -0x1.62850b5c8aba6p-19, 0x1.cf0c628730b3cp-18, -0x1.2f18dd6741273p-16, 0x1.8d2299f566793p-15, -0x1.eabfdbaf8b0e7p-14, 0x1.2655d158b9be4p-12, -0x1.21d66ade6471ap-10, 0x1.f36639f1347b9p-9, 0x1.1ea85b063ec1bp-8, -0x1.0a1498cd19fa8p-5, -0x1.2dac6a2056da9p-3, 0x1.db09f28d17cd1p-2);
}

// Y1(x) / (x - 5.429...) in x - 6, 4 <= x <= 8
HEDDLE_MATH_INLINE float y1_second_polynomial(float x) {
    return horner(x, 0x1.a048220000000p-29f, 0x1.89029e0000000p-25f, -0x1.72c7580000000p-22f, -0x1.4ac2b60000000p-18f, 0x1.005a0a0000000p-15f, 0x1.26625a0000000p-12f, -0x1.94a78c0000000p-10f, -0x1.155cc40000000p-7f, 0x1.4739ee0000000p-5f, 0x1.5791520000000p-4f, -0x1.3a3a8c0000000p-2f);
}
HEDDLE_MATH_INLINE double y1_second_polynomial(double x) {
    return horner(x, 0x1.5d9ffebc72a9ap-57, -0x1.05a30a7b37776p-54, 0x1.437de04e8c117p-53, -0x1.d1e57b804f887p-51, 0x1.d62a834f42330p-48, -0x1.b1af91d614c42p-45, 0x1.5063f42f4c377p-42, 0x1.58ab2395e8c95p-41, -0x1.12498536af931p-37, -0x1.d36b60d34c0c5p-32, 0x1.a87434caea728p-29, 0x1.b0fa1501c393ap-25, -0x1.72fed36015e0bp-22, -0x1.4c0230afdbff9p-18, 0x1.005abac2e427ap-15, 0x1.266b1555c311bp-12, -0x1.94a78f4d6fac4p-10, -0x1.155cf697f3c34p-7, 0x1.4739eeba02f88p-5, 0x1.579152b2072a1p-4, -0x1.3a3a8cefc7efcp-2);
}

// P of order 0 in 64/x^2, x >= 8
HEDDLE_MATH_INLINE float p0_polynomial(float x) {
    return horner(x, -0x1.bb79a40000000p-20f, 0x1.c651c60000000p-16f, -0x1.1ffc1c0000000p-10f, 0x1.0000000000000p+0f);
}
HEDDLE_MATH_INLINE double p0_polynomial(double x) {
    return horner(x, -0x1.c069f735e546bp-33, 0x1.9574ab829b27cp-30, -0x1.5e2a2ba4d9907p-28, 0x1.9354193c5e446p-27, -0x1.7d68fe7da3bd6p-26, 0x1.6d7848fb54237p-25, -0x1.b65442e133a3ep-24, 0x1.84ab2bdf28058p-22, -0x1.251eafdb745bcp-19, 0x1.cb5fffa33ef62p-16, -0x1.1ffffffff85e4p-10, 0x1.0000000000000p+0);
}

// x Q of order 0 in 64/x^2, x >= 8
HEDDLE_MATH_INLINE float q0_polynomial(float x) {
    return horner(x, 0x1.340a1a0000000p-18f, -0x1.c7d18c0000000p-15f, 0x1.2bf1d00000000p-10f, -0x1.fffffe0000000p-4f);
}
HEDDLE_MATH_INLINE double q0_polynomial(double x) {
    return horner(x, -0x1.28620b17b9cccp-30, 0x1.15e8ffa1561d5p-27, -0x1.e8aae3a2cdcbep-26, 0x1.12e9806e38a74p-24, -0x1.d39db8567c07ap-24, 0x1.5ef5a80c8308ap-23, -0x1.155e2692aee0ep-22, 0x1.12de5741fb7adp-21, -0x1.8608d6e0123ddp-20, 0x1.ba4c1087d2f4fp-18, -0x1.d11dff99bdda2p-15, 0x1.2bfffffff1ae2p-10, -0x1.ffffffffffffdp-4);
}

// P of order 1 in 64/x^2, x >= 8
HEDDLE_MATH_INLINE float p1_polynomial(float x) {
    return horner(x, 0x1.08f2dc0000000p-19f, -0x1.246bb20000000p-15f, 0x1.dffb8c0000000p-10f, 0x1.0000000000000p+0f);
}
HEDDLE_MATH_INLINE double p1_polynomial(double x) {
    return horner(x, 0x1.dde5dde7cb9e7p-33, -0x1.b08a31231c0aep-30, 0x1.762c462d6f6aep-28, -0x1.b04182e5ea7b0p-27, 0x1.9afe8b006409cp-26, -0x1.8da65f72efb0fp-25, 0x1.e48c6af145aebp-24, -0x1.b87f0af3a6ea7p-22, 0x1.5a6a1c796bbb2p-19, -0x1.274fffced21f8p-15, 0x1.dffffffff7e80p-10, 0x1.0000000000000p+0);
}

// x Q of order 1 in 64/x^2, x >= 8
HEDDLE_MATH_INLINE float q1_polynomial(float x) {
    return horner(x, -0x1.6747fc0000000p-18f, 0x1.16fe980000000p-14f, -0x1.a3effa0000000p-10f, 0x1.8000000000000p-2f);
}
HEDDLE_MATH_INLINE double q1_polynomial(double x) {
    return horner(x, 0x1.3a095187deeccp-30, -0x1.26a542d5e8ca1p-27, 0x1.034cc26d10254p-25, -0x1.243a04356ccf4p-24, 0x1.f27d88f5bf3fdp-24, -0x1.780a19ab1a6c9p-23, 0x1.2bc344983abe6p-22, -0x1.2d143b67f9bf6p-21, 0x1.b3eca103fbb00p-20, -0x1.fe57cb8339423p-18, 0x1.1c3cffca0c5fdp-14, -0x1.a3fffffff0e37p-10, 0x1.7ffffffffffffp-2);
}

} // namespace heddle_math

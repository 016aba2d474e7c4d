#pragma once
/// \file  Negative log-likelihoods, in nats (natural logarithms) unless bits are named.
///
/// A density has no unit-free value: it must be said of what scale of the data it is, and for bytes what it
/// means for them. The scaling rule is that of a change of variables [Metrics, "Find the original NLL using
/// scaled data"]; Theis, van den Oord and Bethge 2015, §3.1, have the bound by dequantisation.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.hpp"

namespace startle {

/// -log density of `values` (D of them) under independent normal distributions with these means and one sigma
/// > 0: D/2 log(2 pi sigma^2) + sum (x - mean)^2/(2 sigma^2). So ||x - mean||^2 = 2 sigma^2 NLL - D sigma^2
/// log(2 pi sigma^2): the surprise of [Lin §3.1] up to scale and constant. (Lin et al. print the density's
/// constant with an n in the wrong place, and p where log p is meant.)
double gaussian_nll(std::span<const double> values, std::span<const double> means, double sigma);
/// The same of D values by the sum of their squared differences from the means.
double gaussian_nll(double squared_differences, std::size_t dimensions, double sigma);

/// NLL of x from that of x/sigma: NLL + D log sigma, D = `dimensions`, sigma > 0.
double nll_of_unscaled(double nll_of_scaled, std::size_t dimensions, double sigma);

/// Bytes (or other whole numbers from 0 to levels - 1) as reals in [0, 1): (k + u)/levels with u uniform in
/// [0, 1).
std::vector<double> dequantise(std::span<const std::uint8_t> values, Random& random, int levels = 256);

/// Upper bound of the NLL of whole numbers from the NLL of their dequantised reals: NLL + D log(levels), for
/// one draw of u; it bounds -log P in expectation over u (Jensen).
double discrete_nll_bound(double nll_of_dequantised, std::size_t dimensions, int levels = 256);

/// nll/(D log 2).
double bits_per_dimension(double nll, std::size_t dimensions);

/// -log P of whole numbers k exactly, under normal distributions on [0, 1): P(k) is the probability of
/// [k/levels, (k + 1)/levels), to which the first and last level add the tails. `means` and sigma > 0 are on
/// the scale of [0, 1). Never above discrete_nll_bound()'s expectation.
double discretised_gaussian_nll(std::span<const std::uint8_t> values, std::span<const double> means,
                                double sigma, int levels = 256);

}  // namespace startle

#pragma once
/// \file  The physical parameters of objects, in one table: what profiles give, what novelties change.
///
/// A new parameter needs a member of Parameters, an entry of Parameter and a row of parameter_table here, its
/// effect on bodies in sim/world_bodies.cpp, and the movements that show it in
/// reasoning/qualitative/detectability.cpp.
#include <iterator>
#include <optional>
#include <string>

namespace startle {

/// Physical parameters of an object type [Pinto §3]; novelties change one of these.
struct Parameters {
  double density = 1;          ///< mass over area of the shape, kg/m^2, > 0
  double friction = 0.4;       ///< Coulomb coefficient, >= 0; two bodies mix as sqrt(f1 f2)
  double restitution = 0;      ///< bounciness, >= 0; two bodies mix as the larger
  double life = 1;             ///< hit points at the start, > 0
  double defence = 0;          ///< hit points taken off every blow, >= 0
  double gravity_scale = 1;    ///< multiplies the world's gravity
  double linear_damping = 0;   ///< 1/s, >= 0
  double angular_damping = 0;  ///< 1/s, >= 0
};

enum class Parameter {
  density,
  friction,
  restitution,
  life,
  defence,
  gravity_scale,
  linear_damping,
  angular_damping
};

enum class ChangeKind { factor, offset, value };

/// new = old x amount, old + amount, or `share` of the way from old to amount; never below the parameter's
/// least value.
struct Change {
  ChangeKind kind = ChangeKind::factor;
  double amount = 1;
  double share = 1;  ///< value only
  double apply(double old_value, Parameter parameter) const;
  friend bool operator==(const Change&, const Change&) = default;
};

struct ParameterInfo {
  Parameter parameter;
  const char* name;  ///< in novelties, and the key in profiles
  double Parameters::*member;
  double least;                        ///< novelties go no lower
  std::optional<double> when_missing;  ///< value where a profile is silent; none: every profile must give it
  Change up, down;                     ///< those of the novelty catalogue
  bool toughness = false;              ///< says what blows do to the object, nothing of how it moves
};

/// In the order of Parameter, which is that of the novelty catalogue. Factors where every profile has a value
/// to multiply; an offset and a value where it may be zero. Density and life must stay positive for the
/// engine. Profiles give the density of some types as a mass (profile.cpp).
inline constexpr ParameterInfo parameter_table[] = {
    {Parameter::density,
     "density",
     &Parameters::density,
     1e-6,
     1,
     {ChangeKind::factor, 4},
     {ChangeKind::factor, 0.25}},
    {Parameter::friction,
     "friction",
     &Parameters::friction,
     0,
     {},
     {ChangeKind::factor, 5},
     {ChangeKind::factor, 0.05}},
    {Parameter::restitution,
     "restitution",
     &Parameters::restitution,
     0,
     {},
     {ChangeKind::offset, 0.4},
     {ChangeKind::value, 0}},
    {Parameter::life,
     "life",
     &Parameters::life,
     1e-6,
     1,
     {ChangeKind::factor, 5},
     {ChangeKind::factor, 0.2},
     true},
    {Parameter::defence,
     "defence",
     &Parameters::defence,
     0,
     0,
     {ChangeKind::offset, 30},
     {ChangeKind::value, 0},
     true},
    {Parameter::gravity_scale,
     "gravity_scale",
     &Parameters::gravity_scale,
     0,
     1,
     {ChangeKind::factor, 2},
     {ChangeKind::factor, 0.5}},
    {Parameter::linear_damping,
     "linear_damping",
     &Parameters::linear_damping,
     0,
     {},
     {ChangeKind::offset, 2},
     {ChangeKind::value, 0}},
    {Parameter::angular_damping,
     "angular_damping",
     &Parameters::angular_damping,
     0,
     {},
     {ChangeKind::offset, 10},
     {ChangeKind::value, 0}},
};

/// The row of that parameter.
constexpr const ParameterInfo& parameter_info(Parameter parameter) {
  return parameter_table[static_cast<std::size_t>(parameter)];
}

static_assert(
    [] {
      for (std::size_t i = 0; i < std::size(parameter_table); ++i)
        if (parameter_table[i].parameter != static_cast<Parameter>(i)) return false;
      return true;
    }(),
    "parameter_table is in the order of Parameter");

const char* name(Parameter parameter);
double& value_of(Parameters& parameters, Parameter parameter);
double value_of(const Parameters& parameters, Parameter parameter);

}  // namespace startle

#include "reasoning/qualitative/era.hpp"

#include <cmath>

namespace startle {

const char* name(Era relation) {
  switch (relation) {
    case Era::before:
      return "b";
    case Era::after:
      return "a";
    case Era::meet:
      return "m";
    case Era::met_by:
      return "mi";
    case Era::mom:
      return "mom";
    case Era::mol:
      return "mol";
    case Era::lom:
      return "lom";
    case Era::lol:
      return "lol";
    case Era::momi:
      return "momi";
    case Era::moli:
      return "moli";
    case Era::lomi:
      return "lomi";
    case Era::loli:
      return "loli";
    case Era::ms:
      return "ms";
    case Era::msi:
      return "msi";
    case Era::ls:
      return "ls";
    case Era::lsi:
      return "lsi";
    case Era::mf:
      return "mf";
    case Era::mfi:
      return "mfi";
    case Era::lf:
      return "lf";
    case Era::lfi:
      return "lfi";
    case Era::ld:
      return "ld";
    case Era::ldi:
      return "ldi";
    case Era::rd:
      return "rd";
    case Era::rdi:
      return "rdi";
    case Era::cd:
      return "cd";
    case Era::cdi:
      return "cdi";
    case Era::eq:
      return "eq";
  }
  return "";
}

const char* name(SupporterClass kind) {
  switch (kind) {
    case SupporterClass::none:
      return "none";
    case SupporterClass::left:
      return "left";
    case SupporterClass::centre:
      return "centre";
    case SupporterClass::right:
      return "right";
  }
  return "";
}

Era era(const Interval& x, const Interval& y, double tolerance) {
  const auto same = [tolerance](double a, double b) { return std::abs(a - b) <= tolerance; };
  const double cx = x.centre(), cy = y.centre();

  const bool same_start = same(x.start, y.start), same_end = same(x.end, y.end);
  if (same_start && same_end) return Era::eq;
  if (x.end < y.start - tolerance) return Era::before;
  if (y.end < x.start - tolerance) return Era::after;

  if (same_start) {
    if (x.end < y.end) return x.end >= cy ? Era::ms : Era::ls;
    return y.end >= cx ? Era::msi : Era::lsi;
  }
  if (same_end) {
    if (x.start > y.start) return x.start <= cy ? Era::mf : Era::lf;
    return y.start <= cx ? Era::mfi : Era::lfi;
  }
  if (same(x.end, y.start)) return Era::meet;
  if (same(y.end, x.start)) return Era::met_by;

  if (x.start > y.start && x.end < y.end) return x.end <= cy ? Era::ld : x.start >= cy ? Era::rd : Era::cd;
  if (y.start > x.start && y.end < x.end) return y.end <= cx ? Era::ldi : y.start >= cx ? Era::rdi : Era::cdi;

  if (x.start < y.start) {
    if (cx >= y.start) return x.end >= cy ? Era::mom : Era::mol;
    return x.end >= cy ? Era::lom : Era::lol;
  }
  if (cy >= x.start) return y.end >= cx ? Era::momi : Era::moli;
  return y.end >= cx ? Era::lomi : Era::loli;
}

SupporterClass supporter_class(Era relation) {
  switch (relation) {
    case Era::before:
    case Era::after:
    case Era::meet:
    case Era::met_by:
      return SupporterClass::none;
    case Era::lol:
    case Era::mol:
    case Era::ls:
    case Era::ld:
      return SupporterClass::left;
    case Era::lomi:
    case Era::loli:
    case Era::lf:
    case Era::rd:
      return SupporterClass::right;
    default:
      return SupporterClass::centre;
  }
}

}  // namespace startle

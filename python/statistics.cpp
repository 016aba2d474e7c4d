/// \file  What the compiled module has of statistics/: tests with a bound on false alarms.
#include "python/bound.hpp"
#include "statistics/false_alarms.hpp"

namespace startle {

using namespace py::literals;

void add_statistics(py::module_& module) {
  py::class_<CalibratedScores>(
      module, "CalibratedScores",
      "Scores of normal units, whatever the unit is, larger being less normal: p(score) is a p-value that "
      "stays valid when the set is used again and again, rank(score) one that is valid in the mean over "
      "sets.")
      .def(py::init<std::vector<double>, double>(), "normal"_a, "confidence"_a = 0.95)
      .def("p", &CalibratedScores::p, "score"_a)
      .def("rank", &CalibratedScores::rank, "score"_a)
      .def("__len__", &CalibratedScores::size);
  py::class_<SequentialTest>(
      module, "SequentialTest",
      "Turns the evidence of at most `length` p-values, given one after the other, into a p-value of all: "
      "the chance that as many uniform p-values reach as much evidence at any time.")
      .def(py::init<std::size_t>(), "length"_a)
      .def("add", &SequentialTest::add, "p"_a)
      .def("if_next", &SequentialTest::if_next, "p"_a);
  py::class_<LevelsTest>(module, "LevelsTest",
                         "A trial of several levels, one after the other: the smallest p-value so far of "
                         "each level counts.")
      .def(py::init<std::size_t>(), "levels"_a)
      .def("likelihood", &LevelsTest::likelihood, "level"_a, "p"_a);
}

}  // namespace startle

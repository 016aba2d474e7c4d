// What may be included; the other files of this tree hold what may not, a line of each kind.
#include <box2d/box2d.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "sim/inner/upward.hpp"

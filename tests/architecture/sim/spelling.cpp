  #  include "render/indented.hpp"
#include <render/brackets.hpp>
#include "../render/relative.hpp"
#include "neighbour.hpp"

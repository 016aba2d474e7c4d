#include <box2d/box2d.h>
#include <boost/nobody.hpp>
#include <png.h>
#include "SFML/quoted.hpp"

#include "shared/math/trig.h"

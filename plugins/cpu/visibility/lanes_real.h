/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of one precision; included once per precision with REAL, IS_64, VECTOR, INTEGER (a lane
 * as an integer), LANES, TYPED(base) and OP(base) of vector.h. */
#include "plugins/cpu/visibility/lanes_phases.h"

#include "plugins/cpu/visibility/lanes_beam.h"

#include "plugins/cpu/visibility/lanes_panels.h"

#include "plugins/cpu/visibility/lanes_product.h"

#include "plugins/cpu/visibility/lanes_select.h"

#undef REAL
#undef IS_64
#undef VECTOR
#undef INTEGER
#undef LANES
#undef TYPED
#undef OP

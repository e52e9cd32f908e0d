/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole solver for one type, included by interleaved.c: its parts in the order of their use. */
#include "plugins/cpu/emi/lanes_group.h"

#include "plugins/cpu/emi/lanes_load.h"
#include "plugins/cpu/emi/lanes_real.h"

#include "plugins/cpu/emi/lanes_eigenvalue.h"

#include "plugins/cpu/emi/lanes_inverse.h"

#include "plugins/cpu/emi/lanes_complex.h"

#include "plugins/cpu/emi/lanes_vector.h"

#if BITS == 32
#include "plugins/cpu/emi/lanes_refine.h"
#include "plugins/cpu/emi/lanes_trust.h"
#endif

#include "plugins/cpu/emi/lanes_solve.h"

#include "plugins/cpu/emi/lanes_temp_coh.h"

#undef REAL
#undef EPSILON
#undef BITS
#undef VECTOR
#undef INTEGER
#undef LANES
#undef TYPED
#undef OP

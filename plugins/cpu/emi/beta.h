/* SPDX-License-Identifier: BSD-3-Clause */
/* How strongly a point is regularized. */
#ifndef HG_EMI_BETA_H
#define HG_EMI_BETA_H

/* The least beta in [0, 1) that makes (1 - beta) A + beta I safe, A with eigenvalues between low
 * and high: its own least eigenvalue is lifted by as much as low lies below 0, the proven error of
 * the estimate, and its condition number is at most kappa. 0 where A is safe already. */
static inline double hg_emi_beta(double low, double high, double kappa)
{
    double delta = low < 0.0 ? -low : 0.0;
    double lifted = 2.0 * delta / (1.0 + 2.0 * delta);
    double missing = high / kappa - low;
    if (missing <= 0.0)
        return lifted;
    double conditioned = missing / ((1.0 - low) + (high - 1.0) / kappa);
    return conditioned > lifted ? conditioned : lifted;
}

#endif

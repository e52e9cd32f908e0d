# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# What the tests under mpirun share. More ranks than cores share them; root is allowed where the tests run as root.
. "$abs_top_srcdir/tests/cli/lib.sh"

command -v mpirun >/dev/null || { echo "skipped: no mpirun"; exit 77; }
if [ "$(id -u)" -eq 0 ]; then
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
fi
# Only this machine is asked for; its messages need no network.
OMPI_MCA_btl=self,vader
OMPI_MCA_btl_vader_single_copy_mechanism=none
OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_rmaps_base_oversubscribe

# ranks N WORDS...: a command on N ranks; a hang is a failure.
ranks() {
    n_ranks=$1
    shift
    timeout 240 mpirun --oversubscribe -n "$n_ranks" "$@"
}

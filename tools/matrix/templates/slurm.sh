#!/bin/sh
# The matrix as a Slurm array: one task is one unit. FOLDER lies where all nodes see it, with what
# `matrix build FOLDER` and `matrix plan FOLDER` have made. Nodes have Python 3 and the C++ library
# (libstdc++6); those that run cells of other processors qemu-user and the C++ libraries of these
# (libstdc++6-arm64-cross, -armhf-cross, -riscv64-cross, -s390x-cross), those of wasm Node.
#
#   sbatch --array=0-$(($(ls FOLDER/units/*.unit | wc -l) - 1))%200 tools/matrix/templates/slurm.sh FOLDER
#   tools/matrix/matrix merge FOLDER          when all have run
#
# A task that was stopped may be sent again: what is done is left alone.
#SBATCH --job-name=jostle-matrix
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
#SBATCH --time=02:00:00
#SBATCH --output=%x-%A-%a.log
set -eu
folder=$1
checkout=${SLURM_SUBMIT_DIR:?is set by sbatch, which is to be called in the checkout}
unit=$(find "$folder/units" -name '*.unit' | sort | sed -n "$((SLURM_ARRAY_TASK_ID + 1))p")
exec "$checkout/tools/matrix/matrix" run --jobs 1 "$unit"

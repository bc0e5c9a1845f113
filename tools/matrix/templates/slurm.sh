#!/bin/sh
# The determinism matrix as a Slurm array: each task runs one unit. FOLDER must be on storage that
# all nodes share, and must contain the output of `matrix build FOLDER` and `matrix plan FOLDER`.
# Nodes need Python 3 and the C++ library (libstdc++6). Nodes for cells of other processors also
# need qemu-user and their C++ libraries (libstdc++6-arm64-cross, -armhf-cross, -riscv64-cross,
# -s390x-cross). Nodes for wasm need Node.
#
#   sbatch --array=0-$(($(ls FOLDER/units/*.unit | wc -l) - 1))%200 tools/matrix/templates/slurm.sh FOLDER
#   tools/matrix/matrix merge FOLDER          after all tasks
#
# A task that was stopped can be submitted again: finished units are skipped.
#SBATCH --job-name=jostle-matrix
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
#SBATCH --time=02:00:00
#SBATCH --output=%x-%A-%a.log
set -eu
folder=$1
checkout=${SLURM_SUBMIT_DIR:?is not set: call sbatch in the checkout}
unit=$(find "$folder/units" -name '*.unit' | sort | sed -n "$((SLURM_ARRAY_TASK_ID + 1))p")
exec "$checkout/tools/matrix/matrix" run --jobs 1 "$unit"

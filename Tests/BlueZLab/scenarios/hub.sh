# SPDX-License-Identifier: Apache-2.0
# about: santorio hub, killed at any moment and started again: each reading is on the server once, with its patient
# limit: 300
# rounds: 20                                            seconds more for each round that --rounds asks for
export HOME=/run/person PROGRAM=$SANTORIO_BUILD/santorio
mkdir -p "$HOME"
trap 'tail -n 60 "$out/hub.log"' ERR
lab_up
"$PYTHON" "$LAB/checks/hub.py" "$HOME" "${ROUNDS:-6}" "${SEED:-1}"

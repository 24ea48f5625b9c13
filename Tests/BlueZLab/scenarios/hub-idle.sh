# SPDX-License-Identifier: Apache-2.0
# about: santorio hub among 200 that advertise takes less than 1 % of a core
# limit: 300
# alone: it measures time
export HOME=/run/person PROGRAM=$SANTORIO_BUILD/santorio
mkdir -p "$HOME"
lab_up
"$PYTHON" "$LAB/checks/hub_idle.py" "$HOME" 200 1

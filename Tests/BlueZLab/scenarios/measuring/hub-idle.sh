# SPDX-License-Identifier: Apache-2.0
# about: what santorio hub takes of a core among 200 that advertise
# limit: 400
# alone: it measures time
export HOME=/run/person PROGRAM=$SANTORIO_BUILD/santorio
mkdir -p "$HOME"
lab_up
"$PYTHON" "$LAB/checks/hub_idle.py" "$HOME" 200

# SPDX-License-Identifier: Apache-2.0
# about: santorio hub for an hour among 200 that advertise: neither its time for that nor its memory grows
# limit: 3600
# alone: it measures time
# kernel: time-travel                                   time in which nothing happens is skipped
export HOME=/run/person PROGRAM=$SANTORIO_BUILD/santorio
mkdir -p "$HOME"
trap 'tail -n 60 "$out/hub.log"' ERR
lab_up
"$PYTHON" "$LAB/checks/hub_hour.py" "$HOME" 200

# SPDX-License-Identifier: Apache-2.0
# about: the SDK has a record hardly later than the least program in C and sooner than bleak, in less than half of its memory
# limit: 400
# alone: it measures time
# small: BlueZLabReader
lab_up
lab_peer cuff blood-pressure --open --silent
cc -O2 "$LAB/checks/least_reader.c" -o "$run/least_reader" -lsystemd
"$PYTHON" "$LAB/checks/comparison.py" "$run"

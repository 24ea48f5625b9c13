# SPDX-License-Identifier: Apache-2.0
# about: the SDK has a record sooner than bleak, in less than half of the memory
# small: BlueZLabReader
lab_up
lab_peer cuff blood-pressure --open --silent
"$PYTHON" "$LAB/checks/comparison.py"

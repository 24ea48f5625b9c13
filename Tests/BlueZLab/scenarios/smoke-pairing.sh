# SPDX-License-Identifier: Apache-2.0
# about: the lab's own check: passkeys, numbers, private addresses and lost bonds
lab_up
"$PYTHON" "$LAB/checks/pairing.py"

# SPDX-License-Identifier: Apache-2.0
# about: the lab's own check: Bumble as a phone uses what bluetoothd serves
lab_up
lab_central phone
"$PYTHON" "$LAB/checks/peripheral_role.py"

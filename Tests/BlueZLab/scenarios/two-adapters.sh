# SPDX-License-Identifier: Apache-2.0
# about: hci0 finds, connects to, reads and pairs with what the same bluetoothd serves on hci1
lab_two_adapters
"$PYTHON" "$LAB/checks/two_adapters.py"

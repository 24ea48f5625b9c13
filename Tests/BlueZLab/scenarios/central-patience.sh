# SPDX-License-Identifier: Apache-2.0
# about: what takes longer than bluetoothd waits, and pairing with nobody to ask, both at the same time
# limit: 120
lab_up
run_suite 'Patience with BlueZ|Unattended pairing with BlueZ'

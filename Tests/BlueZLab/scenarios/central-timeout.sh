# SPDX-License-Identifier: Apache-2.0
# about: a connection waits for devices that are silent longer than bluetoothd waits
# limit: 110
lab_up
run_suite 'Timeout with BlueZ'

# SPDX-License-Identifier: Apache-2.0
# about: bluetoothd killed at any moment
# limit: 100
lab_up
run_suite 'Crashes of bluetoothd'

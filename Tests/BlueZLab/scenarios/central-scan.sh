# SPDX-License-Identifier: Apache-2.0
# about: scans by Core Bluetooth's rules, alone and beside another program
# limit: 100
lab_up
run_suite 'Scanning with BlueZ'

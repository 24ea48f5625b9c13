# SPDX-License-Identifier: Apache-2.0
# about: adapter, radio switch and bus go and come back
# limit: 100
lab_up
run_suite 'Faults below bluetoothd'

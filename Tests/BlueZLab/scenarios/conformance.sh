# SPDX-License-Identifier: Apache-2.0
# about: the BlueZ radio keeps the contract of a radio, hci0 with hci1
# limit: 400
lab_two_adapters
run_suite 'The BlueZ radio'

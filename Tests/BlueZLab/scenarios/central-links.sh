# SPDX-License-Identifier: Apache-2.0
# about: connections made, cancelled, lost, shared and found again, and a channel
# limit: 100
lab_up
run_suite 'Links with BlueZ'

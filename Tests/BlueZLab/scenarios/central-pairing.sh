# SPDX-License-Identifier: Apache-2.0
# about: all ways to pair with a person
# limit: 100
lab_up
run_suite 'Attended pairing with BlueZ'

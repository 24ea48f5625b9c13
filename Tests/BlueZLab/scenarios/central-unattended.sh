# SPDX-License-Identifier: Apache-2.0
# about: pairing with nobody to ask
# limit: 110
lab_up
run_suite 'Unattended pairing with BlueZ'

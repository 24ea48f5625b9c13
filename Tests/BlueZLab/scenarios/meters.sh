# SPDX-License-Identifier: Apache-2.0
# about: a glucose meter's records by its control point, and a thermometer's, at first and later
# limit: 100
lab_up
run_suite 'Meters with BlueZ'

# SPDX-License-Identifier: Apache-2.0
# about: values of every length, errors and commands at the bench
# limit: 100
lab_up
run_suite 'Values with BlueZ'

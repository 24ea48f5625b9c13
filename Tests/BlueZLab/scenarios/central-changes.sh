# SPDX-License-Identifier: Apache-2.0
# about: notifications, indications and changed services, each once and in order
# limit: 100
lab_up
run_suite 'Changes with BlueZ'

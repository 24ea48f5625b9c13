# SPDX-License-Identifier: Apache-2.0
# about: monitors that measure at the same time are all read over one central, beside one that is never there
# limit: 150
lab_up
run_suite 'Many_devices_with_BlueZ|Many devices with BlueZ'

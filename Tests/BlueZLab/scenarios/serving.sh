# SPDX-License-Identifier: Apache-2.0
# about: phones of another stack find and use what the SDK puts on the air
# limit: 240
lab_up
run_suite 'Serving_through_bluetoothd|Serving through bluetoothd'

# SPDX-License-Identifier: Apache-2.0
# about: the SDK pairs with, reads and reads again monitors of another stack, whatever happens meanwhile
# limit: 240
lab_up
export SANTORIO_LOG=all
dbus-monitor --system >$out/dbus.log &
run_suite 'Reading_through_bluetoothd|Reading through bluetoothd'

# SPDX-License-Identifier: Apache-2.0
# about: the lab's own check: adapters unplugged, radios switched off, peers out of reach, bluetoothd killed
property() { busctl --system get-property org.bluez "$1" "org.bluez.$2" "$3"; }
property_is() { [[ $(property "$1" "$2" "$3") == "$4" ]]; }
is_there() { busctl --system introspect org.bluez "$1" | grep -q Adapter1; }
is_gone() { ! is_there "$1"; }
adapter=/org/bluez/hci0
bench=$adapter/dev_F0_F1_F2_F3_F4_F5

lab_up
lab_peer bench bench --name "Lab bench"

lab_say "an adapter is unplugged and put back"
lab_adapter unplug 0
wait_for 10 is_gone $adapter
lab_adapter plug 0
wait_for 10 property_is $adapter Adapter1 Powered "b true"

lab_say "all radios are switched off and on"
lab_rfkill block
wait_for 10 property_is $adapter Adapter1 Powered "b false"
lab_rfkill unblock
wait_for 10 property_is $adapter Adapter1 Powered "b true"

lab_say "a peer goes out of reach and comes back"
bluetoothctl --timeout 3 scan on >/dev/null &
wait_for 10 property_is $bench Device1 Name 's "Lab bench"'
busctl --system call org.bluez $bench org.bluez.Device1 Connect
wait_for 10 property_is $bench Device1 Connected "b true"
lab_ask bench wait connected
lab_ask air away F0:F1:F2:F3:F4:F5
wait_for 10 property_is $bench Device1 Connected "b false"
lab_ask bench wait disconnected
lab_ask air back F0:F1:F2:F3:F4:F5
busctl --system call org.bluez $bench org.bluez.Device1 Connect
lab_ask bench wait connected 2

lab_say "bluetoothd is killed and started again"
lab_bluetoothd kill
lab_ask bench wait disconnected 2
lab_bluetoothd start
lab_ask bench log >/dev/null

lab_say "the bus goes away and comes back"
lab_stop bus
lab_bus
lab_bluetoothd restart
property $adapter Adapter1 Address

# SPDX-License-Identifier: Apache-2.0
# about: bluetoothd comes late, or may not be talked to
# limit: 100
lab_bus
lab_record
lab_air 1
lab_peers
run_suite 'Late starts of bluetoothd'
cat >/etc/dbus-1/system.d/forbidden.conf <<'END'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><policy context="mandatory"><deny send_destination="org.bluez"/></policy></busconfig>
END
busctl call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus ReloadConfig
run_suite 'Missing permission for bluetoothd'

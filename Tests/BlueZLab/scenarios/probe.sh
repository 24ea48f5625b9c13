# about: probe
lab_up 2
busctl --system tree org.bluez
dmesg | tail

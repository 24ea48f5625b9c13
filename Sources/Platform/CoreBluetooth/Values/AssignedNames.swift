// SPDX-License-Identifier: Apache-2.0

/// The most common names in the Bluetooth SIG's Assigned Numbers (sections 3.4 and 3.8).
enum AssignedNames {
  static let table: [UInt16: String] = [
    0x1800: "Generic Access", 0x1801: "Generic Attribute", 0x1805: "Current Time",
    0x1808: "Glucose", 0x1809: "Health Thermometer", 0x180A: "Device Information",
    0x180D: "Heart Rate", 0x180F: "Battery", 0x1810: "Blood Pressure", 0x1812: "HID",
    0x1816: "Cycling Speed and Cadence", 0x1818: "Cycling Power", 0x181B: "Body Composition",
    0x181D: "Weight Scale", 0x181F: "Continuous Glucose Monitoring", 0x1822: "Pulse Oximeter",
    0x2900: "Characteristic Extended Properties", 0x2901: "Characteristic User Description",
    0x2902: "Client Characteristic Configuration", 0x2904: "Characteristic Format",
    0x2A00: "Device Name", 0x2A01: "Appearance", 0x2A19: "Battery Level",
    0x2A23: "System ID", 0x2A24: "Model Number String", 0x2A25: "Serial Number String",
    0x2A26: "Firmware Revision String", 0x2A29: "Manufacturer Name String",
  ]
}

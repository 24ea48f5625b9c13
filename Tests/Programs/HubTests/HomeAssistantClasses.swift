// SPDX-License-Identifier: Apache-2.0

/// What Home Assistant accepts, from homeassistant/components/sensor/const.py and
/// homeassistant/const.py of home-assistant/core (`DEVICE_CLASS_UNITS`,
/// `DEVICE_CLASS_STATE_CLASSES`); the classes alone that a health device may have.
enum HomeAssistantClasses {
  static let units: [String: Set<String>] = [
    "battery": ["%"],
    "blood_glucose_concentration": ["mg/dL", "mmol/L"],
    "distance": ["mm", "cm", "m", "km", "in", "ft", "yd", "mi", "nmi"],
    "duration": ["d", "h", "min", "s", "ms"],
    "power": ["W", "kW", "MW", "GW", "TW"],
    "speed": ["ft/s", "in/s", "m/s", "km/h", "kn", "mph", "mm/s", "Beaufort"],
    "temperature": ["°C", "°F", "K"],
    "weight": ["g", "kg", "mg", "μg", "oz", "lb", "st"],
  ]

  static let measurements: Set = [
    "battery", "blood_glucose_concentration", "distance", "duration", "power", "speed",
    "temperature", "weight",
  ]
}

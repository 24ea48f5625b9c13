// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension CGMMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("records", .list(records.map { .object($0.fields) }))]
  }

  package var trailingBytes: [UInt8] { records.last?.trailingBytes ?? [] }
}

extension CGMRecord {
  fileprivate var fields: [DecodedPayload.Field] {
    let hasStatus = flags.rawValue & 0xE0 != 0
    return [
      .init("flags", .init(flags.rawValue)),
      .init("mg_dl", .init(concentration)),
      .init("time_offset_min", .init(timeOffset)),
      .init("status", hasStatus ? .init(sensorStatus.rawValue) : .null),
      .init("status_names", .init(names: hasStatus ? sensorStatus.names : nil)),
      .init("trend_mg_dl_min", .init(trend)),
      .init("quality_pct", .init(quality)),
      .init("crc", .bool(hasCRC)),
    ]
  }
}

extension CGMSensorStatus {
  fileprivate var names: [String] { Self.names.filter { contains($0.status) }.map(\.name) }

  private static let names: [(status: CGMSensorStatus, name: String)] = [
    (.sessionStopped, "sessionStopped"), (.deviceBatteryLow, "batteryLow"),
    (.sensorTypeIncorrect, "sensorTypeIncorrect"), (.sensorMalfunction, "sensorMalfunction"),
    (.deviceSpecificAlert, "deviceSpecificAlert"), (.generalDeviceFault, "generalDeviceFault"),
    (.timeSynchronizationRequired, "timeSynchronizationRequired"),
    (.calibrationNotAllowed, "calibrationNotAllowed"),
    (.calibrationRecommended, "calibrationRecommended"),
    (.calibrationRequired, "calibrationRequired"), (.temperatureTooHigh, "temperatureTooHigh"),
    (.temperatureTooLow, "temperatureTooLow"), (.belowPatientLowLevel, "belowPatientLowLevel"),
    (.abovePatientHighLevel, "abovePatientHighLevel"), (.belowHypoLevel, "belowHypoLevel"),
    (.aboveHyperLevel, "aboveHyperLevel"), (.rateOfDecreaseExceeded, "rateOfDecreaseExceeded"),
    (.rateOfIncreaseExceeded, "rateOfIncreaseExceeded"), (.resultTooLow, "resultTooLow"),
    (.resultTooHigh, "resultTooHigh"),
  ]
}

extension CGMFeature: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("features", .init(features.rawValue)),
      .init("names", .init(names: Self.names.filter { features.contains($0.feature) }.map(\.name))),
      .init("type", .init(fluid.rawValue)),
      .init("location", .init(location.rawValue)),
      .init("crc", .bool(features.contains(.e2eCRC))),
    ]
  }

  private static let names: [(feature: Features, name: String)] = [
    (.calibration, "calibration"), (.patientHighLowAlerts, "patientHighLowAlerts"),
    (.hypoAlerts, "hypoAlerts"), (.hyperAlerts, "hyperAlerts"), (.rateAlerts, "rateAlerts"),
    (.deviceSpecificAlert, "deviceSpecificAlert"),
    (.sensorMalfunctionDetection, "sensorMalfunction"),
    (.temperatureHighLowDetection, "temperatureHighLow"),
    (.resultHighLowDetection, "resultHighLow"), (.lowBatteryDetection, "lowBattery"),
    (.sensorTypeErrorDetection, "sensorTypeError"), (.generalDeviceFault, "generalDeviceFault"),
    (.e2eCRC, "e2eCrc"), (.multipleBonds, "multipleBonds"),
    (.multipleSessions, "multipleSessions"), (.trendInformation, "trend"), (.quality, "quality"),
  ]
}

extension CGMStatus: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("time_offset_min", .init(timeOffset)),
      .init("status", .init(sensorStatus.rawValue)),
      .init("status_names", .init(names: sensorStatus.names)),
      .init("crc", .bool(hasCRC)),
    ]
  }
}

extension CGMSessionStartTime: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("timestamp", .init(dateTime)),
      .init("tz_minutes", .init(zone.timeZoneMinutes)),
      .init("dst_minutes", .init(zone.daylightSavingTimeMinutes)),
      .init("crc", .bool(hasCRC)),
    ]
  }
}

extension CGMSessionRunTime: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("run_time_h", .init(hours)), .init("crc", .bool(hasCRC))]
  }
}

extension CGMSpecificOpsControlPoint: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("opcode", .init(opCode.rawValue))] + operation.fields + [.init("crc", .bool(hasCRC))]
  }
}

extension CGMSpecificOpsControlPoint.Operation {
  fileprivate var fields: [DecodedPayload.Field] {
    switch self {
    case .setCommunicationInterval(let minutes), .communicationInterval(let minutes):
      [.init("interval_min", .init(minutes))]
    case .setCalibration(let calibration), .calibration(let calibration): calibration.fields
    case .getCalibration(let number): [.init("record_number", .init(number))]
    case .setAlertLevel(_, let level), .alertLevel(_, let level): [.init("level", .init(level))]
    case .response(let request, let code):
      [
        .init("request_opcode", .init(request.rawValue)),
        .init("response_code", .init(code.rawValue)),
      ]
    case .unknown(_, let bytes): [.init("operand", .init(hexadecimal: bytes))]
    case .getCommunicationInterval, .getAlertLevel, .resetDeviceSpecificAlert, .startSession,
      .stopSession:
      []
    }
  }
}

extension CGMCalibration {
  fileprivate var fields: [DecodedPayload.Field] {
    [
      .init("mg_dl", .init(concentration)),
      .init("time_min", .init(time)),
      .init("type", .init(fluid.rawValue)),
      .init("location", .init(location.rawValue)),
      .init("next_time_min", .init(nextTime)),
      .init("record_number", .init(recordNumber)),
      .init("calibration_status", .init(status.rawValue)),
    ]
  }
}

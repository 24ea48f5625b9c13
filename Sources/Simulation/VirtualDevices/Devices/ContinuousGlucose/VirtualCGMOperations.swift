// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// The CGM Specific Ops Control Point of a virtual sensor.
struct VirtualCGMOperations: Sendable {
  private typealias ControlPoint = CGMSpecificOpsControlPoint

  /// What came of a request.
  struct Outcome {
    var outputs: [VirtualDeviceOutput]
    var beginsSession = false
  }

  private var intervalMinutes: UInt8 = 5
  private var calibrations: [CGMCalibration] = []
  private var alertLevels: [CGMSpecificOpsControlPoint.AlertLevel: MedicalFloat16] = [:]

  mutating func handle(
    _ bytes: [UInt8], hasCRC: Bool, session: inout VirtualCGMSession, at time: DriverTime
  ) -> Outcome {
    do throws(PayloadError) {
      let request = try ControlPoint(payload: bytes)
      if case .unknown(let opCode, _) = request.operation {
        return accepted(.response(to: opCode, .opCodeNotSupported), hasCRC)
      }
      guard request.hasCRC || !hasCRC else { return Outcome(outputs: [.refuse(0x80)]) }
      let answer = perform(request.operation, &session, at: time)
      let beginsSession =
        answer == .response(to: .startSession, .success) && request.opCode == .startSession
      return Outcome(
        outputs: accepted(answer, hasCRC).outputs, beginsSession: beginsSession)
    } catch {
      guard error.code != .checksumMismatch else { return Outcome(outputs: [.refuse(0x81)]) }
      let opCode = ControlPoint.OpCode(rawValue: bytes.first ?? 0)
      return accepted(.response(to: opCode, .invalidOperand), hasCRC)
    }
  }

  private func accepted(
    _ answer: CGMSpecificOpsControlPoint.Operation, _ hasCRC: Bool
  ) -> Outcome {
    Outcome(
      outputs: [
        .accept, .send(.cgmSpecificOps, ControlPoint(answer, hasCRC: hasCRC).payload),
      ])
  }

  private mutating func perform(
    _ operation: CGMSpecificOpsControlPoint.Operation, _ session: inout VirtualCGMSession,
    at time: DriverTime
  ) -> CGMSpecificOpsControlPoint.Operation {
    switch operation {
    case .setCommunicationInterval(let minutes):
      intervalMinutes = minutes
      return .response(to: .setCommunicationInterval, .success)
    case .getCommunicationInterval: return .communicationInterval(minutes: intervalMinutes)
    case .setCalibration(let calibration):
      calibrations.append(calibration)
      calibrations[calibrations.count - 1].recordNumber = UInt16(clamping: calibrations.count)
      return .response(to: .setCalibration, .success)
    case .getCalibration(let number):
      return calibration(number).map { .calibration($0) }
        ?? .response(to: .getCalibration, .parameterOutOfRange)
    case .setAlertLevel(let level, let value):
      alertLevels[level] = value
      return .response(to: operation.requestCode, .success)
    case .getAlertLevel(let level):
      return alertLevels[level].map { .alertLevel(level, $0) }
        ?? .response(to: operation.requestCode, .procedureNotCompleted)
    case .resetDeviceSpecificAlert: return .response(to: .resetDeviceSpecificAlert, .success)
    case .startSession:
      return .response(
        to: .startSession, session.startAnew(at: time) ? .success : .procedureNotCompleted)
    case .stopSession:
      return .response(
        to: .stopSession, session.stop(at: time) ? .success : .procedureNotCompleted)
    case .communicationInterval, .calibration, .alertLevel, .response, .unknown:
      return .response(to: operation.requestCode, .opCodeNotSupported)
    }
  }

  private func calibration(_ number: UInt16) -> CGMCalibration? {
    number == CGMCalibration.last
      ? calibrations.last : calibrations.first { $0.recordNumber == number }
  }
}

extension CGMSpecificOpsControlPoint.Operation {
  /// The op code, to be answered.
  fileprivate var requestCode: CGMSpecificOpsControlPoint.OpCode {
    CGMSpecificOpsControlPoint(self).opCode
  }
}

// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// What monitoring is told of a hub: counters since its start, and the state of its parts.
///
/// There is no health value in it, and no name but the aliases of patients.
package struct HubMetrics: Hashable, Sendable {
  /// A device of a patient.
  package struct DeviceKey: Hashable, Sendable {
    /// The patient's alias.
    package let patient: String
    /// The device.
    package let device: UUID

    package init(patient: String, device: UUID) {
      self.patient = patient
      self.device = device
    }
  }

  /// A count of one patient's, for one reason.
  package struct ReasonKey: Hashable, Sendable {
    /// The patient's alias.
    package let patient: String
    /// The reason, the name of an error's code.
    package let reason: String

    package init(patient: String, reason: String) {
      self.patient = patient
      self.reason = reason
    }
  }

  /// The state of all parts.
  package var status: HubStatus
  /// How many readings were taken.
  package var readings: [DeviceKey: Int] = [:]
  /// How many attempts to read a device were in vain, by the reason.
  package var readFailures: [ReasonKey: Int] = [:]
  /// How many records the server has stored, by patient.
  package var uploads: [String: Int] = [:]
  /// What devices are called that were read, which may be nobody's by now.
  package var deviceNames: [UUID: String] = [:]
  /// How many requests to the server were in vain, by the reason.
  package var uploadFailures: [ReasonKey: Int] = [:]

  /// The starts of the hub, all in all.
  package var starts = 0
  /// The ends without an order, all in all.
  package var unexpectedEnds = 0

  /// Makes metrics without any count.
  ///
  /// - Parameter status: The state of all parts.
  package init(status: HubStatus) { self.status = status }
}

// MARK: - The text for Prometheus

extension HubMetrics {
  /// The type of ``text`` in HTTP.
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The metrics in the text format 0.0.4 of Prometheus, sorted, so that equal ones are equal texts.
  package var text: String {
    families.filter { !$0.samples.isEmpty }.map(\.text).joined()
  }

  var families: [MetricFamily] { hub + counters + patients + devices }

  private var hub: [MetricFamily] {
    let isPaused: Double = status.reading == .on ? 0 : 1
    let mqtt = status.mqtt.map { [MetricSample($0.works ? 1 : 0)] } ?? []
    // Before the first start nothing is counted.
    let counted = { (count: Int) in starts > 0 ? [MetricSample(Double(count))] : [] }
    return [
      MetricFamily(
        "build_info", .gauge, "Version of the running program; the value is always 1.",
        [MetricSample(1, ("hub", status.name), ("version", status.version))]),
      MetricFamily(
        "start_time_seconds", .gauge, "When the hub was started, in Unix time.",
        [MetricSample(status.since.timeIntervalSince1970)]),
      MetricFamily(
        "starts_total", .counter, "Starts of the hub, since its folder was made.",
        counted(starts)),
      MetricFamily(
        "unexpected_ends_total", .counter,
        "Ends by nobody's order: the hub was killed, it crashed, or the power was lost.",
        counted(unexpectedEnds)),
      MetricFamily(
        "paused", .gauge, "Whether no device is read, as the command line has asked.",
        [MetricSample(isPaused)]),
      MetricFamily(
        "adapter_up", .gauge, "Whether the Bluetooth adapter can be used.",
        [MetricSample(status.adapter.works ? 1 : 0)]),
      MetricFamily(
        "mqtt_up", .gauge, "Whether the hub is connected to its broker of MQTT.", mqtt),
      MetricFamily(
        "sessions", .gauge, "Patients whose readings are taken.",
        [MetricSample(Double(status.patients.count { !$0.isShared }))]),
      MetricFamily(
        "unknown_devices", .gauge, "Devices in range that are nobody's.",
        [MetricSample(Double(status.unknown.count))]),
    ]
  }

  private var counters: [MetricFamily] {
    let models = Dictionary(
      status.patients.flatMap { patient in
        patient.devices.map { (DeviceKey(patient: patient.alias, device: $0.identifier), $0.name) }
      }
    ) { first, _ in first }
    return [
      MetricFamily(
        "readings_total", .counter, "Readings that were taken.",
        readings.map { key, count in
          MetricSample(
            Double(count), ("patient", key.patient), ("device", key.device.uuidString),
            ("model", models[key] ?? deviceNames[key.device] ?? ""))
        }),
      MetricFamily(
        "read_failures_total", .counter, "Attempts to read a device that were in vain.",
        Self.samples(readFailures)),
      MetricFamily(
        "uploaded_records_total", .counter, "Records that the server has stored.",
        uploads.map { MetricSample(Double($1), ("patient", $0)) }),
      MetricFamily(
        "upload_failures_total", .counter, "Requests to the server that were in vain.",
        Self.samples(uploadFailures)),
    ]
  }

  private static func samples(_ counts: [ReasonKey: Int]) -> [MetricSample] {
    counts.map { MetricSample(Double($1), ("patient", $0.patient), ("reason", $0.reason)) }
  }

  private var patients: [MetricFamily] {
    func family(
      _ name: String, _ help: String, _ value: (HubStatus.Patient) -> Double?
    ) -> MetricFamily {
      MetricFamily(
        name, .gauge, help,
        status.patients.compactMap { patient in
          value(patient).map { MetricSample($0, ("patient", patient.alias)) }
        })
    }
    return [
      family("queue_records", "Records that wait for the server.") { Double($0.queued) },
      family(
        "queue_oldest_record_age_seconds", "How long the oldest of them has waited; 0 for none."
      ) { patient in
        patient.oldest.map { max(0, status.at.timeIntervalSince($0)) } ?? 0
      },
      family("held_records", "Records held back, since it is not known whose they are.") {
        Double($0.held)
      },
      family("rejected_records", "Records that the server has refused for good.") {
        Double($0.rejected)
      },
      family("upload_up", "Whether the upload of a patient's records works.") {
        $0.upload.works ? 1 : 0
      },
      family("health_exports_taken", "Exports of a patient's iPhone that were taken.") {
        $0.healthExports.map { Double($0.taken) }
      },
      family(
        "health_exports_last_timestamp_seconds", "When the last export was taken, in Unix time."
      ) { $0.healthExports?.last?.timeIntervalSince1970 },
      family("health_exports_up", "Whether all exports of a patient's iPhone could be taken.") {
        $0.healthExports.map { $0.part.works ? 1 : 0 }
      },
    ]
  }

  private var devices: [MetricFamily] {
    func family(
      _ name: String, _ help: String, _ value: (HubStatus.Device) -> Double?
    ) -> MetricFamily {
      MetricFamily(
        name, .gauge, help,
        status.patients.flatMap { patient in
          patient.devices.compactMap { device in
            value(device).map { value in
              MetricSample(
                value, ("patient", patient.alias), ("device", device.identifier.uuidString),
                ("model", device.name))
            }
          }
        })
    }
    return [
      family("device_last_seen_timestamp_seconds", "When a device was last heard, in Unix time.") {
        $0.lastSeen?.timeIntervalSince1970
      },
      family("device_last_read_timestamp_seconds", "When a device was last read, in Unix time.") {
        $0.lastRead?.timeIntervalSince1970
      },
      family("device_battery_ratio", "Charge of a device's battery, 0 to 1.") {
        $0.batteryPercent.map { Double($0) / 100 }
      },
      family(
        "device_clock_drift_seconds", "How far a device's clock is ahead; negative when behind."
      ) { $0.clockDrift },
      family("device_failing", "Whether the last attempt to read a device was in vain.") {
        $0.state == .failing ? 1 : 0
      },
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Hub
import SantorioMQTT
import TestSupport

/// Readings of thirty patients that a hub publishes to a real MQTT broker.
final class HomeAssistantStates: LongStream {
  private static let portion = 30

  private let folder: TemporaryFolder
  private let broker: MosquittoBroker
  private let publisher: HomeAssistantPublisher
  private let published = EventCount()

  init() async throws {
    folder = try TemporaryFolder()
    broker = try MosquittoBroker(in: folder, logsPackets: false)
    var settings = HomeAssistantSettings(hub: "ward", host: "127.0.0.1")
    settings.port = broker.port
    settings.usesTLS = false
    publisher = HomeAssistantPublisher(MQTTClient(settings.client), settings)
  }

  func run(_ count: Int) async throws {
    var left = count
    while left > 0 {
      let portion = min(left, Self.portion)
      for number in published.value..<published.value + portion {
        publisher.publish(Self.record(number), patient: "bed-\(number % 30)")
      }
      published.add(portion)
      // False until the first connection.
      while await !publisher.flush() { await Task.yield() }
      left -= portion
    }
  }

  private static func record(_ number: Int) -> HealthRecord {
    let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(number))
    return HealthRecord(
      logID: "r\(number)", time: RecordTime(start: time, origin: .device, received: time),
      source: RecordSource(
        type: .bluetooth, device: SourceDevice(id: "\(number % 30)", manufacturer: "A&D")),
      metrics: [Metric(.bodyWeight, Double(50 + number % 60))])
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngestServer
import SantorioConcurrency
import SantorioCore
import TestSupport
import Testing

@testable import Hub

@Suite(.timeLimit(.minutes(15))) struct `Metrics of a hub` {
  private static var documentation: URL {
    URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../Documentation/hub")
      .standardizedFileURL
  }

  /// Metrics with something of everything.
  private var sample: HubMetrics {
    var metrics = HubMetrics(status: .sample)
    metrics.readings[.init(patient: "bed-1", device: HubStatus.monitor)] = 7
    metrics.readFailures[.init(patient: "bed-1", reason: "connectionTimeout")] = 3
    (metrics.starts, metrics.unexpectedEnds) = (4, 1)
    metrics.uploads["bed-1"] = 5
    metrics.uploads["bed-2"] = 0
    metrics.uploadFailures[.init(patient: "bed-1", reason: "serverUnreachable")] = 2
    return metrics
  }

  private let monitor =
    "patient=\"bed-1\",device=\"\(ConfigurationText.monitor)\",model=\"Beurer BM54 family\""

  @Test func `are lines of Prometheus' text format`() {
    let lines = sample.text.split(separator: "\n", omittingEmptySubsequences: false)

    for line in [
      "# HELP santorio_hub_build_info Version of the running program; the value is always 1.",
      "# TYPE santorio_hub_build_info gauge",
      "santorio_hub_build_info{hub=\"ward-7\",version=\"0.1.0\"} 1",
      "santorio_hub_start_time_seconds 1799910000", "santorio_hub_paused 1",
      "santorio_hub_starts_total 4", "santorio_hub_unexpected_ends_total 1",
      "santorio_hub_adapter_up 1", "santorio_hub_mqtt_up 0", "santorio_hub_sessions 2",
      "# TYPE santorio_hub_readings_total counter", "santorio_hub_readings_total{\(monitor)} 7",
      "santorio_hub_read_failures_total{patient=\"bed-1\",reason=\"connectionTimeout\"} 3",
      "santorio_hub_uploaded_records_total{patient=\"bed-2\"} 0",
      "santorio_hub_upload_failures_total{patient=\"bed-1\",reason=\"serverUnreachable\"} 2",
      "santorio_hub_queue_records{patient=\"bed-1\"} 12",
      "santorio_hub_queue_oldest_record_age_seconds{patient=\"bed-1\"} 3700",
      "santorio_hub_queue_oldest_record_age_seconds{patient=\"bed-2\"} 0",
      "santorio_hub_held_records{patient=\"bed-1\"} 2",
      "santorio_hub_upload_up{patient=\"bed-1\"} 0",
      "santorio_hub_device_last_seen_timestamp_seconds{\(monitor)} 1799999960",
      "santorio_hub_device_last_read_timestamp_seconds{\(monitor)} 1799910000",
      "santorio_hub_device_battery_ratio{\(monitor)} 0.45",
      "santorio_hub_device_clock_drift_seconds{\(monitor)} -71.5",
    ] {
      #expect(lines.contains(Substring(line)), "\(line)")
    }
    #expect(lines.last == "")
  }

  /// See prometheus.io, "Exposition formats".
  @Test func `keep the format's rules`() throws {
    var types: [String: String] = [:]
    var seen: Set<String> = []
    for line in sample.text.split(separator: "\n") {
      if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge)/) {
        #expect(types.updateValue(String(match.2), forKey: String(match.1)) == nil)
      } else if !line.hasPrefix("# HELP ") {
        let match = try #require(
          line.wholeMatch(
            of: /([a-z_]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? (-?[0-9.e+]+)/), "\(line)")
        let type = types[String(match.1)]
        #expect((type == "counter") == match.1.hasSuffix("_total"))
        #expect(type != nil)
        // Name and labels, which no other line has.
        #expect(seen.insert(String(line.dropLast(match.4.count))).inserted)
      }
    }
    #expect(types.count == sample.families.count)
  }

  @Test func `have escaped labels and special numbers`() {
    let family = MetricFamily(
      "x", .gauge, "X.",
      [
        MetricSample(.infinity, ("a", "back\\slash \"quote\"\nline é")),
        MetricSample(.nan, ("a", "z")), MetricSample(-.infinity), MetricSample(0.1),
      ])

    #expect(
      family.text == """
        # HELP santorio_hub_x X.
        # TYPE santorio_hub_x gauge
        santorio_hub_x -Inf
        santorio_hub_x 0.1
        santorio_hub_x{a="back\\\\slash \\"quote\\"\\nline é"} +Inf
        santorio_hub_x{a="z"} NaN

        """)
  }

  @Test func `leave out what there is nothing of`() {
    let status = HubStatus(
      name: "h", version: "1", since: HubStatus.now, at: HubStatus.now,
      adapter: .init(works: false, "missing"))

    let text = HubMetrics(status: status).text

    #expect(!text.contains("mqtt") && !text.contains("patient=") && !text.contains("_total"))
    #expect(text.contains("santorio_hub_adapter_up 0\n"))
  }

  // MARK: - Served

  @Test func `are served to programs of this machine`() async throws {
    let calls = Locked(0)
    let server = try HubMetricsServer(.init(listen: "127.0.0.1:0")) { [sample] in
      calls.withLock { $0 += 1 }
      return sample
    }
    let address = try #require(URL(string: "http://127.0.0.1:\(server.port)"))

    func answer(_ path: String, method: String = "GET") async throws -> TransportResponse {
      try await CurlTransport().send(
        TransportRequest(method: method, url: address.appendingPathComponent(path)))
    }

    let page = try await answer("metrics")
    #expect(page.status == 200)
    #expect(
      page.headers.first { $0.name.lowercased() == "content-type" }?.value
        == "text/plain; version=0.0.4; charset=utf-8")
    #expect(String(decoding: page.body, as: UTF8.self) == sample.text)
    #expect(try await answer("other").status == 404)
    #expect(try await answer("metrics", method: "DELETE").status == 405)
    #expect(calls.withLock { $0 } == 1)
    server.stop()
  }

  // MARK: - The documentation

  /// The names of a file's expressions, as they are in the metrics.
  private func names(in file: String) throws -> Set<String> {
    let text = try String(
      contentsOf: Self.documentation.appendingPathComponent(file), encoding: .utf8)
    return Set(text.matches(of: /santorio_hub_[a-z_]+/).map { String($0.0) })
  }

  @Test(arguments: ["alerts.yml", "grafana-dashboard.json"])
  func `have the names that alerts and dashboard look for`(_ file: String) throws {
    let served = Set(sample.families.filter { !$0.samples.isEmpty }.map(\.name))
    let names = try names(in: file)

    #expect(names.count >= 10)
    #expect(names.subtracting(served) == [])
  }

  @Test func `are all on the dashboard`() throws {
    let apart: Set = ["santorio_hub_upload_up", "santorio_hub_unknown_devices"]

    #expect(
      Set(sample.families.map(\.name)).subtracting(try names(in: "grafana-dashboard.json"))
        == apart)
  }

  private static let promtool = "/usr/bin/promtool"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: promtool)))
  func `and alert rules are accepted by Prometheus' own tool`() throws {
    func run(_ arguments: [String], input: String) throws -> (status: Int32, output: String) {
      let tool = Process()
      tool.executableURL = URL(fileURLWithPath: Self.promtool)
      tool.arguments = arguments
      let (standardInput, output) = (Pipe.make(), Pipe.make())
      (tool.standardInput, tool.standardOutput, tool.standardError) =
        (standardInput, output, output)
      try tool.start()
      try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try standardInput.fileHandleForWriting.close()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      tool.waitUntilExit()
      return (tool.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    let rules = Self.documentation.appendingPathComponent("alerts.yml").path
    let checked = try run(["check", "rules", rules], input: "")
    #expect(checked.status == 0, "\(checked.output)")
    let metrics = try run(["check", "metrics"], input: sample.text)
    #expect(metrics.status == 0 && metrics.output == "", "\(metrics.output)")
  }
}

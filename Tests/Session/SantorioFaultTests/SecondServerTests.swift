// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthRecords
import SantorioCore
import TestSupport
import Testing

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `A second server on the same storage` {
    /// An image, distinguished by its number.
    private static func image(_ number: Int) -> [UInt8] {
      let digits = Array(String(number).utf8)
      return [0xff, 0xd8, 0xff] + (0..<400).flatMap { _ in digits }
    }

    @Test func `is refused, and loses no image`() async throws {
      let server = try await ServerProcess()
      let count = Extent.of(400, short: 60)
      let rivals = Extent.of(15, short: 3)

      async let images = upload(count, to: server)
      var statuses: [Int32?] = []
      for _ in 0..<rivals { statuses.append(try await server.startRival()) }
      let uploaded = try await images
      let missing = try await missing(of: uploaded, at: server)
      server.kill()
      try await server.start()
      let missingLater = try await self.missing(of: uploaded, at: server)

      print(
        """
        seed \(Extent.seed); \(rivals) more servers: \(uploaded.count) images acknowledged, \
        lost \(missing), lost after a restart \(missingLater)
        """)
      #expect(statuses == Array(repeating: 75, count: rivals))
      #expect(uploaded.count == count)
      #expect(missing == 0 && missingLater == 0)
    }

    /// Stores records with their images, four at a time.
    private func upload(_ count: Int, to server: ServerProcess) async throws -> [RecordMedia] {
      let client = try IngestClient(endpoint: server.url, user: server.alice)
      return try await withThrowingTaskGroup(of: [RecordMedia].self) { group in
        for worker in 0..<4 {
          group.addTask {
            var images: [RecordMedia] = []
            for number in stride(from: worker, to: count, by: 4) {
              let record = reading("image-\(number)")
              _ = try await client.post(record)
              images.append(
                try await client.uploadImage(
                  Self.image(number), contentType: "image/jpeg", for: record.logID))
            }
            return images
          }
        }
        return try await group.reduce([], +)
      }
    }

    private func missing(of images: [RecordMedia], at server: ServerProcess) async throws -> Int {
      let transport = CurlTransport()
      var missing = 0
      for image in images {
        let url = try #require(URL(string: server.url.absoluteString + (image.url ?? "")))
        let answer = try await transport.send(
          TransportRequest(
            url: url,
            headers: [TransportHeader("Authorization", "Bearer \(server.alice.accessToken)")]))
        if answer.status != 200 || answer.body.count != image.byteCount { missing += 1 }
      }
      return missing
    }
  }
}

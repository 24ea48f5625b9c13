// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import TestSupport
import Testing

@testable import ValidicCore

extension ValidicNames {
  @Suite @MainActor final class APIClient {
    let app: App

    init() async throws {
      app = try App()
      try await app.launch()
    }

    private var client: VLDAPIClient { VLDAPIClient(user: app.user) }

    private func weight(_ kilograms: Double) -> VLDWeight {
      let record = VLDWeight()
      record.weight = NSNumber(value: kilograms)
      return record
    }

    /// What a completion has got.
    private final class Answer<Value>: @unchecked Sendable {
      // Set on the main thread, where the tests read it.
      var value: Value?
      var error: NSError?
      var isThere = false
      var isOnMainThread = false

      func take(_ value: Value?, _ error: (any Error)?) {
        (self.value, self.error) = (value, error.map { $0 as NSError })
        (isThere, isOnMainThread) = (true, MainQueue.isCurrent)
      }
    }

    private func answer<Value>(_ ask: (Answer<Value>) -> Void) async -> Answer<Value> {
      let answer = Answer<Value>()
      ask(answer)
      await app.wait { answer.isThere }
      #expect(answer.isOnMainThread)
      return answer
    }

    @Test func `writes, changes and removes a record`() async throws {
      let record = weight(70)
      let posted: Answer<VLDRecord> = await answer {
        client.postRecord(record, completion: $0.take)
      }
      let stored = try #require(posted.value as? VLDWeight)
      #expect(posted.error == nil && stored.recordID != nil && stored.weight == 70)

      stored.weight = 71
      let updated: Answer<VLDRecord> = await answer {
        client.updateRecord(stored, completion: $0.take)
      }
      #expect((updated.value as? VLDWeight)?.weight == 71)

      record.weight = 72
      let upserted: Answer<VLDRecord> = await answer {
        client.upsertRecord(record, completion: $0.take)
      }
      #expect(upserted.value?.recordID == stored.recordID)

      let deleted: Answer<VLDServerResponse> = await answer {
        client.deleteRecord(stored, completion: $0.take)
      }
      #expect(deleted.value?.code == 200 && deleted.value?.activityID == record.activityID)
      let again: Answer<VLDRecord> = await answer {
        client.updateRecord(stored, completion: $0.take)
      }
      #expect(again.value == nil && again.error?.domain == kVLDAPIErrorDomain)
    }

    @Test func `writes several records of one class`() async throws {
      let posted: Answer<[Any]> = await answer {
        client.postMultipleRecords([weight(70), weight(71)], completion: $0.take)
      }
      #expect(posted.error == nil)
      let weights = posted.value?.compactMap { ($0 as? VLDWeight)?.weight }
      #expect(weights == [70, 71])
    }

    @Test func `finds faults before it asks the server`() async throws {
      let mixed: Answer<[Any]> = await answer {
        client.postMultipleRecords([weight(70), VLDDiabetes()], completion: $0.take)
      }
      #expect(mixed.error?.code == VLDAPIErrorCode.mismatchedRecordTypes.rawValue)
      let none: Answer<VLDRecord> = await answer { client.postRecord(nil, completion: $0.take) }
      #expect(none.error?.code == VLDAPIErrorCode.missingRecord.rawValue)
      let new: Answer<VLDRecord> = await answer {
        client.updateRecord(weight(70), completion: $0.take)
      }
      #expect(new.error?.code == VLDAPIErrorCode.missingRecordID.rawValue)
      let nameless = weight(70)
      nameless.activityID = ""
      let upserted: Answer<VLDRecord> = await answer {
        client.upsertRecord(nameless, completion: $0.take)
      }
      #expect(upserted.error?.code == VLDAPIErrorCode.missingActivityID.rawValue)
      let plain: Answer<VLDRecord> = await answer {
        client.postRecord(VLDRecord(), completion: $0.take)
      }
      #expect(plain.error?.code == VLDAPIErrorCode.invalidRecordType.rawValue)
      let codes: [VLDAPIErrorCode] = [
        .invalidRecords, .invalidRecordType, .missingRecordID, .missingActivityID,
        .missingRecord, .mismatchedRecordTypes,
      ]
      #expect(codes.map(\.rawValue) == Array(0...5))
    }

    @Test func `says which records are invalid`() async throws {
      let posted: Answer<[Any]> = await answer {
        client.postMultipleRecords([weight(70), VLDWeight()], completion: $0.take)
      }
      let error = try #require(posted.error)
      #expect(error.domain == kVLDAPIErrorDomain && error.code == 0)
    }

    @Test func `adds an image to a record`() async throws {
      let record = weight(70)
      let posted: Answer<VLDRecord> = await answer {
        client.postRecord(record, completion: $0.take)
      }
      let image = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
      let stored = try #require(posted.value)
      let uploaded: Answer<VLDMedia> = await answer {
        client.uploadImageData(image, forRecord: stored, completion: $0.take)
      }
      #expect(uploaded.error == nil && uploaded.value?.mediaID != nil)
      let bad: Answer<VLDMedia> = await answer {
        client.uploadImageData(Data([1]), forRecord: stored, completion: $0.take)
      }
      #expect(bad.error?.code == VLDAPIErrorCode.invalidRecords.rawValue)
    }

    @Test func `fails where there is no server`() async throws {
      try await app.launch(reachesServer: false)
      let posted: Answer<VLDRecord> = await answer {
        client.postRecord(weight(70), completion: $0.take)
      }
      #expect(posted.error?.code == -1)
    }
  }
}

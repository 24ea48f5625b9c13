// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

extension Queue {
  // MARK: - Retrying

  func retry() async throws -> Int32 {
    guard !operands.isEmpty else {
      let count = try await session.retryQuarantined()
      let images = try await session.retryQuarantinedImages()
      print("\(count) records and \(images) images wait for the server again")
      return 0
    }
    let known = try await session.archives()
    let archives = known.filter { ended in
      ended.archive.map { operands.contains($0.lastPathComponent) } ?? false
    }
    let names = archives.compactMap { $0.archive?.lastPathComponent }
    let ids = try numbers(operands.filter { !names.contains($0) })
    let number = try await session.currentNumber()
    for archive in archives { try await checkUser(of: archive) }
    var status = ids.isEmpty ? 0 : try await retry(ids)
    for archive in archives { status = max(status, try await retry(archive, inSession: number)) }
    return status
  }

  private func retry(_ ids: [Int64]) async throws -> Int32 {
    let unknown = try await unknown(ids)
    print(
      "\(try await session.retryQuarantined(ids)) records and 0 images wait for the server again")
    let staying = Set(try await session.quarantinedRecords().map(\.id)).intersection(ids)
    for id in staying.sorted() {
      printError("santorio: record \(id) stays: it is damaged, or another user's")
    }
    return unknown.isEmpty && staying.isEmpty ? 0 : 1
  }

  private func checkUser(of ended: EndedSession) async throws {
    guard let user = try await session.storedUser() else {
      throw Self.noSession
    }
    guard !isAnyUser, user != (ended.userID, ended.organizationID) else { return }
    let owner =
      ended.userID.isEmpty ? "an unknown user" : Self.text(ended.userID, ended.organizationID)
    throw CommandError(
      "\(ended.archive?.lastPathComponent ?? "the archive") holds records of \(owner), and the "
        + "session is that of \(Self.text(user.userID, user.organizationID)); with --any-user "
        + "they are sent as the session user's.")
  }

  static let noSession = CommandError(
    "there is no session; start one with \"santorio read --data … --server … "
      + "--organization … --user …\"")

  private static func text(_ user: String, _ organization: String) -> String {
    "user \(user) of organisation \(organization)"
  }

  /// Queues the records of an archive, and removes the archive.
  private func retry(_ ended: EndedSession, inSession number: Int64?) async throws -> Int32 {
    guard let archive = ended.archive else { return 1 }
    let (name, returned) = (
      archive.lastPathComponent,
      try await session.retryArchive(archive, inSession: number, ofAnyUser: isAnyUser)
    )
    print("\(returned.waiting) records of \(name) wait for the server again")
    if returned.held > 0 {
      print("\(returned.held) records of \(name) are held until the user consents, as before")
    }
    if returned.newer > 0 {
      print(
        "\(returned.newer) records of \(name) are already in the queue in a newer version"
      )
    }
    guard returned.damaged > 0 else { return 0 }
    printError(
      "santorio: \(returned.damaged) records of \(name) cannot be read; they are in the quarantine")
    return 1
  }

  // MARK: - Removing

  func discard() async throws -> Int32 {
    guard !operands.isEmpty else {
      throw UsageError("\"discard\" needs the numbers of the records.", command: "queue")
    }
    let ids = try numbers(operands.filter { ImageOperand($0) == nil })
    var status = ids.isEmpty ? 0 : try await discard(ids)
    for image in operands.compactMap(ImageOperand.init) {
      status = max(status, try await discard(image))
    }
    return status
  }

  private func discard(_ ids: [Int64]) async throws -> Int32 {
    let unknown = try await unknown(ids)
    print("\(try await session.discardQuarantined(ids)) records removed")
    return unknown.isEmpty ? 0 : 1
  }

  private func discard(_ operand: ImageOperand) async throws -> Int32 {
    let images = try await session.quarantinedImages().filter { operand.names($0.media.sha256) }
    guard Set(images.map(\.media.sha256)).count == 1 else {
      let reason = images.isEmpty ? "there is no such image" : "several images match"
      printError("santorio: \"\(operand.text)\": \(reason); \"list quarantine\" shows them")
      return 1
    }
    print("\(try await session.discardQuarantinedImages(images)) images removed")
    return 0
  }

  func remove() async throws {
    guard operands.count == 1 else {
      throw UsageError("\"remove\" needs the name of one archive.", command: "queue")
    }
    let known = try await session.archives().compactMap(\.archive)
    guard let archive = known.first(where: { $0.lastPathComponent == operands[0] }) else {
      throw UsageError(
        "there is no archive \"\(operands[0])\"; \"list archives\" shows them.", command: "queue")
    }
    try await session.removeArchive(archive)
    print("\(operands[0]) removed")
  }

  // MARK: - Operands

  private func numbers(_ operands: [String]) throws(UsageError) -> [Int64] {
    var ids: [Int64] = []
    for operand in operands {
      guard let id = Int64(operand) else {
        throw UsageError(
          "\"\(operand)\" is not the number of a quarantined record, nor the name of a suitable "
            + "archive or image; \"list quarantine\" and \"list archives\" show them.",
          command: "queue")
      }
      ids.append(id)
    }
    return ids
  }

  /// Reports which numbers are not in the quarantine.
  private func unknown(_ ids: [Int64]) async throws -> [Int64] {
    let known = Set(try await session.quarantinedRecords().map(\.id))
    let unknown = ids.filter { !known.contains($0) }
    for id in unknown { printError("santorio: there is no record \(id) in the quarantine") }
    return unknown
  }
}

/// An image of the quarantine on the command line: the first digits of its digest.
struct ImageOperand {
  static let prefix = "image:"

  let text: String

  /// Parses an operand; nil when it does not name an image.
  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix), text.count > Self.prefix.count else { return nil }
    self.text = text
  }

  func names(_ digest: String) -> Bool {
    digest.lowercased().hasPrefix(text.dropFirst(Self.prefix.count).lowercased())
  }
}

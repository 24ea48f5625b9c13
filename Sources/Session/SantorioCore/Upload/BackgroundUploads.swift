// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The uploads of a session that the system performs.
struct BackgroundUploads: Sendable {
  let transport: any BackgroundTransport
  let inbox: TransferInbox
  private let files: UploadFiles

  init(_ transport: any BackgroundTransport, in folder: URL, wakeUp: WakeUp) {
    self.transport = transport
    inbox = TransferInbox(transport, wakeUp: wakeUp)
    files = UploadFiles(of: folder)
  }

  /// Takes over the uploads of earlier launches, and ends those that belong to nothing any more.
  ///
  /// Rows of an upload that the system does not know are sent again.
  func takeUp(from outbox: Outbox) async throws(SessionError) {
    let known = Set(await transport.uploads().keys)
    let stored = try await outbox.transfers()
    try await outbox.end(transfers: stored.map(\.id).filter { !known.contains($0) })
    let kept = stored.filter { known.contains($0.id) }
    for transfer in kept { inbox.await(transfer) }
    await transport.cancel(known.subtracting(kept.map(\.id)))
    files.remove(files.names.subtracting(kept.map(\.id)))
  }

  /// Begins an upload whose content is noted already.
  func start(
    _ request: TransportRequest, of transfer: StoredTransfer
  ) async throws(TransportError) {
    var request = request
    let file: URL
    do throws(SessionError) {
      file = try files.save(request.body ?? [], as: transfer.id)
    } catch {
      throw TransportError(
        .invalidRequest, "the file of the upload cannot be written: \(error.message)",
        systemCode: error.systemCode)
    }
    request.body = nil
    do throws(TransportError) {
      try await transport.start(request, body: file, as: transfer.id)
    } catch {
      files.remove(transfer.id)
      throw error
    }
    inbox.await(transfer)
  }

  /// Whether an answer has come that is not settled.
  func hasAnswer() async -> Bool {
    guard let awaited = inbox.awaited, !awaited.isEmpty else { return inbox.awaited == nil }
    let uploads = await transport.uploads()
    return awaited.contains { uploads[$0] != false }
  }

  /// Forgets an upload that is settled.
  func settled(_ id: String) { files.remove(id) }
}

/// The bodies of uploads, as files that the system reads.
///
/// They are not encrypted: the system's service has no key. They have the class of the session's
/// other files, and are removed once the upload is settled or cancelled.
struct UploadFiles: Sendable {
  static let folderName = "uploads"

  private let folder: URL

  init(of directory: URL) {
    folder = directory.appendingPathComponent(Self.folderName, isDirectory: true)
  }

  private func path(_ id: String) -> String { folder.path + "/" + id }

  func save(_ body: [UInt8], as id: String) throws(SessionError) -> URL {
    unsafe mkdir(folder.path, 0o700)
    let file = try DurableFile(path: path(id))
    try file.write(body)
    try file.commit()
    return URL(fileURLWithPath: path(id))
  }

  func remove(_ id: String) { unsafe unlink(path(id)) }

  /// The names of the uploads that have files.
  var names: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
  }

  /// Removes files that no upload needs.
  func remove(_ ids: Set<String>) { for id in ids { remove(id) } }
}

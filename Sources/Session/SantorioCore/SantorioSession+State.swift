// SPDX-License-Identifier: Apache-2.0

// What sources keep from one reading to the next: in the file of the records, encrypted like them.
extension SantorioSession {
  /// The state of a source, or what it keeps about one device; the last changed first.
  ///
  /// - Parameters:
  ///   - source: The source, for instance `bluetooth`.
  ///   - device: The device; nil for all state of the source.
  /// - Returns: The state; a piece that is damaged is left out.
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func states(
    of source: String, device: String? = nil
  ) async throws(SessionError) -> [SourceState] {
    try await outbox.states(of: source, device: device)
  }

  /// Distinguishes the record file from one that it has replaced, or that replaces it; ask for it
  /// before a source is asked for records, see ``StateChange/position(_:_:in:)``.
  ///
  /// - Throws: ``SessionError`` when the file cannot be opened.
  package func storageGeneration() async throws(SessionError) -> [UInt8] {
    try await outbox.generation()
  }

  /// Changes what a source keeps about a device, from what it keeps now, in one transaction.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - device: The device; empty for state of the source itself.
  ///   - body: Gives the changes; it may run twice.
  /// - Throws: ``SessionError`` when the file cannot be written; then nothing was changed.
  package func changeState(
    of source: String, device: String = "",
    _ body: @escaping @Sendable ([SourceState]) -> [StateChange]
  ) async throws(SessionError) {
    try await outbox.changeState(of: source, device: device, body)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Reads the XML document of an Apple Health export that arrives in blocks of any size.
///
/// Memory is bounded, whatever the size of the document.
package struct HealthExportReader<Handler: HealthExportHandler>: ~Copyable {
  // Before the handler, so that its place does not depend on the handler's size.
  private var parser: ExportParser
  package var handler: Handler

  /// Prepares to read a document from its beginning, or from a position that another reader reported
  /// with what it had found before it.
  package init(
    handler: Handler, at position: ExportPosition = .start,
    after findings: ExportFindings = ExportFindings()
  ) {
    parser = ExportParser(at: position, after: findings)
    self.handler = handler
  }

  /// The place after the last element that the handler has received.
  package var position: ExportPosition { parser.position }
  /// What stands before ``position``: another reader that continues there finds the rest.
  package var findings: ExportFindings { parser.settled }
  package var strings: InternedStrings { parser.strings }
  package var header: ExportedHeader { parser.header }
  package var counts: ExportCounts { parser.found.counts }
  package var problems: ExportProblems { parser.found.problems }
  /// Whether the beginning of an Apple Health export was seen.
  package var isBegun: Bool { parser.context != .prolog }
  /// Whether the end of the document was seen.
  package var isComplete: Bool { parser.isComplete }

  /// Takes the next bytes of the document, which must follow the ones before.
  ///
  /// - Throws: ``HealthExportError`` when this is not an Apple Health export; call it no more then.
  package mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(HealthExportError) {
    guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
    try unsafe parser.take(ByteView(start: start, count: bytes.count))
    try deliver()
  }

  private mutating func deliver() throws(HealthExportError) {
    while true {
      switch try parser.next() {
      case .needsInput: return
      case .header: handler.received(parser.header)
      case .record: handler.received(parser.takeRecord(), strings: parser.strings)
      case .correlation: handler.received(parser.correlation, strings: parser.strings)
      case .workout: handler.received(parser.workout, strings: parser.strings)
      case .summary: handler.received(parser.summary, strings: parser.strings)
      }
    }
  }

  /// Says that the document has no more bytes.
  ///
  /// When it ends within an element, ``problems`` say where, and ``isComplete`` is false.
  ///
  /// - Throws: ``HealthExportError`` when there was no Apple Health export.
  package mutating func finish() throws(HealthExportError) {
    parser.takeEnd()
    try deliver()
    if try parser.finish() { handler.received(parser.header) }
  }
}

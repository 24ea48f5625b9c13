// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// Writes the records of one type.
///
/// What the records of a source have in common is made once.
struct RecordWriter {
  let type: RecordType
  private let document: DocumentWriter
  private let indent: [UInt8]
  /// Whether times of beats have the space that newer systems put before AM.
  private let hasNarrowSpace: Bool
  /// By source and era: the text up to the pointer of the device, and from it to the first date.
  private var texts: [(head: [UInt8], tail: [UInt8])] = []

  private static let quote = Array("\"".utf8)
  private static let creation = Array(" creationDate=\"".utf8)
  private static let start = Array("\" startDate=\"".utf8)
  private static let end = Array("\" endDate=\"".utf8)
  private static let value = Array(" value=\"".utf8)
  private static let close = Array("/>\n".utf8)
  private static let open = Array(">\n".utf8)

  /// Makes a writer for records that are in so many elements.
  init(_ type: RecordType, _ document: DocumentWriter, depth: Int = 1, hasNarrowSpace: Bool) {
    self.type = type
    self.document = document
    self.hasNarrowSpace = hasNarrowSpace
    indent = Array(String(repeating: " ", count: depth).utf8)
    for source in Source.allCases {
      for era in 0..<3 { texts.append(Self.texts(type, source, era)) }
    }
  }

  private static func texts(
    _ type: RecordType, _ source: Source, _ era: Int
  ) -> (head: [UInt8], tail: [UInt8]) {
    var head = "<Record type=\"\(type.identifier)\" " + attributes(source, era)
    let unit = type.unit.map { " unit=\"\($0)\"" } ?? ""
    guard let device = source.device(era) else { return (Array((head + unit).utf8), []) }
    head += " device=\"&lt;&lt;HKDevice: 0x"
    return (Array(head.utf8), Array("&gt;, \(device)\"\(unit)".utf8))
  }

  /// The attributes that name a source and its version.
  static func attributes(_ source: Source, _ era: Int) -> String {
    "sourceName=\"\(source.name)\""
      + (source.version(era).map { " sourceVersion=\"\($0)\"" } ?? "")
  }

  /// Writes a record.
  func write(_ record: RecordDraft, era: Int) {
    let (head, tail) = texts[record.source.rawValue * 3 + era]
    document.bytes(indent)
    document.bytes(head)
    if !tail.isEmpty {
      document.pointer(SeededRandom.mix(UInt64(bitPattern: Int64(record.start)) ^ 0x5A))
      document.bytes(tail)
    }
    if record.source.writesValueFirst { write(record.value) }
    document.bytes(Self.creation)
    document.date(record.creation)
    document.bytes(Self.start)
    document.date(record.start)
    document.bytes(Self.end)
    document.date(record.end)
    document.bytes(Self.quote)
    if !record.source.writesValueFirst { write(record.value) }
    if record.metadata.isEmpty, record.beats.isEmpty {
      document.bytes(Self.close)
    } else {
      writeChildren(record)
    }
  }

  private func write(_ value: RecordDraft.Value) {
    switch value {
    case .quantity(let millionths):
      document.bytes(Self.value)
      document.decimal(millionths)
      document.bytes(Self.quote)
    case .category(let name): document.text(" value=\"\(name)\"")
    case .none: break
    }
  }

  private func writeChildren(_ record: RecordDraft) {
    document.bytes(Self.open)
    for entry in record.metadata {
      document.bytes(indent)
      document.text(" <MetadataEntry key=\"\(entry.key)\" value=\"\(entry.value)\"/>\n")
    }
    document.count("MetadataEntry", record.metadata.count)
    if !record.beats.isEmpty { writeBeats(record) }
    document.bytes(indent)
    document.text("</Record>\n")
  }

  private func writeBeats(_ record: RecordDraft) {
    document.bytes(indent)
    document.text(" <HeartRateVariabilityMetadataList>\n")
    for beat in record.beats {
      document.bytes(indent)
      document.text("  <InstantaneousBeatsPerMinute bpm=\"")
      document.number(beat.rate)
      document.text("\" time=\"")
      document.timeOfDay(record.start, hundredths: beat.hundredths, narrowSpace: hasNarrowSpace)
      document.text("\"/>\n")
    }
    document.bytes(indent)
    document.text(" </HeartRateVariabilityMetadataList>\n")
    document.count("HeartRateVariabilityMetadataList")
    document.count("InstantaneousBeatsPerMinute", record.beats.count)
  }
}

extension DocumentWriter {
  /// The time of a beat as a phone set to English shows it, `7:38:52.13 AM`.
  func timeOfDay(_ instant: Int, hundredths: Int, narrowSpace: Bool) {
    let second = localSecond(instant + hundredths / 100)
    number((second / 3600 + 11) % 12 + 1)
    text(":")
    number(second / 60 % 60, width: 2)
    text(":")
    number(second % 60, width: 2)
    text(".")
    number(hundredths % 100, width: 2)
    text(narrowSpace ? "\u{202f}" : " ")
    text(second < 43_200 ? "AM" : "PM")
  }
}

// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import HealthRecords

/// The class of a record.
#if canImport(ObjectiveC)
  @objc(VLDRecordType)
#endif
public enum VLDRecordType: UInt, Sendable {
  /// Of no class of the documents.
  case none = 0
  /// A ``VLDBiometrics``.
  case biometrics = 1
  /// A ``VLDDiabetes``.
  case diabetes = 2
  /// A ``VLDWeight``.
  case weight = 3
  /// A ``VLDRoutine``.
  case routine = 4
  /// A ``VLDNutrition``.
  case nutrition = 5
  /// A ``VLDFitness``.
  case fitness = 6
  /// A ``VLDSleep``.
  case sleep = 7
  /// A ``VLDIntraDay``.
  case intraDaySteps = 8
}

/// A record: what was measured, when, and by what.
///
/// It shows a `HealthRecord` of Santorio's under the names of Validic's documents, and keeps all that
/// has no name there. A value that the app changes in a record of a device counts as entered by hand.
/// Use it on one thread at a time.
#if canImport(ObjectiveC)
  @objc(VLDRecord) @objcMembers
#endif
public class VLDRecord: VLDModel {
  /// What the record says.
  package var content: HealthRecord
  /// Media that were not added with a record's image.
  private var otherMedia: [VLDMedia] = []

  /// The kind of a new record of the class.
  class var kind: RecordKind { .measurement }

  /// Makes an empty record of now, made by the app.
  public override init() {
    let now = Date()
    content = HealthRecord(
      logID: UUID().uuidString.lowercased(), kind: Self.kind,
      time: RecordTime(
        start: now, utcOffsetSeconds: TimeZone.current.secondsFromGMT(for: now),
        offsetOrigin: .source, origin: .received, received: now),
      source: RecordSource(type: .app), metrics: [])
    super.init()
  }

  /// Makes a record that shows another.
  package init(_ content: HealthRecord) {
    self.content = content
    super.init()
  }

  // MARK: - Class

  /// The class of the record.
  ///
  /// - Returns: The class.
  public func recordType() -> VLDRecordType { .none }

  /// The name of a class for a reader.
  ///
  /// - Parameter recordType: The class.
  /// - Returns: The name; empty for ``VLDRecordType/none``.
  #if canImport(ObjectiveC)
    @objc(nameForRecordType:)
  #endif
  public class func name(for recordType: VLDRecordType) -> String {
    switch recordType {
    case .none: ""
    case .biometrics: "Biometrics"
    case .diabetes: "Diabetes"
    case .weight: "Weight"
    case .routine: "Routine"
    case .nutrition: "Nutrition"
    case .fitness: "Fitness"
    case .sleep: "Sleep"
    case .intraDaySteps: "Intraday Steps"
    }
  }

  /// An empty record of a class.
  ///
  /// - Parameter type: The class.
  /// - Returns: The record.
  #if canImport(ObjectiveC)
    @objc(newRecordWithType:)
  #endif
  public class func newRecord(with type: VLDRecordType) -> VLDRecord {
    switch type {
    case .none: VLDRecord()
    case .biometrics: VLDBiometrics()
    case .diabetes: VLDDiabetes()
    case .weight: VLDWeight()
    case .routine: VLDRoutine()
    case .nutrition: VLDNutrition()
    case .fitness: VLDFitness()
    case .sleep: VLDSleep()
    case .intraDaySteps: VLDIntraDay()
    }
  }

  /// An empty record of the class that belongs to what a peripheral measures.
  ///
  /// - Parameter peripheral: The peripheral, which the record names as its source.
  /// - Returns: The record.
  #if canImport(ObjectiveC)
    @objc(newRecordFromPeripheral:)
  #endif
  public class func newRecord(from peripheral: VLDPeripheral) -> VLDRecord {
    let record =
      switch peripheral.type {
      case .glucoseMeter, .continuousGlucoseMonitor: newRecord(with: .diabetes)
      case .weightScale: newRecord(with: .weight)
      default: newRecord(with: .biometrics)
      }
    record.content.source = peripheral.recordSource
    return record
  }

  /// The record as an object of the class that it belongs to.
  ///
  /// What is no reading, such as a device's state, is a plain ``VLDRecord``.
  package static func record(of content: HealthRecord) -> VLDRecord {
    guard content.kind.isReading else { return VLDRecord(content) }
    if content.kind == .intraday { return VLDIntraDay(content) }
    switch content.legacyRecord {
    case .biometrics: return VLDBiometrics(content)
    case .diabetes: return VLDDiabetes(content)
    case .fitness: return VLDFitness(content)
    case .nutrition: return VLDNutrition(content)
    case .routine: return VLDRoutine(content)
    case .sleep: return VLDSleep(content)
    case .weight: return VLDWeight(content)
    }
  }

  // MARK: - Time

  /// When it was measured.
  public var timestamp: Date? {
    get { content.time.start }
    set {
      guard let newValue, newValue != content.time.start else { return }
      let duration = content.time.end.timeIntervalSince(content.time.start)
      content.time.start = newValue
      content.time.end = newValue + duration
      content.time.origin = .user
      guard content.source.type == .app, content.time.offsetOrigin == .source else { return }
      // Nobody has set the offset: that of the zone at this time.
      content.time.utcOffsetSeconds = TimeZone.current.secondsFromGMT(for: newValue)
    }
  }

  /// Local time minus UTC at the place of measurement, as `+02:00`; nil when unknown.
  ///
  /// A text of another form is not taken.
  public var utcOffset: String? {
    get { content.time.utcOffsetSeconds.map { UTCOffset.text(minutes: $0 / 60) } }
    set {
      guard let newValue else {
        (content.time.utcOffsetSeconds, content.time.offsetOrigin) = (nil, nil)
        return
      }
      guard let minutes = UTCOffset.minutes(of: newValue) else { return }
      content.time.utcOffsetSeconds = minutes * 60
      content.time.offsetOrigin = .userDefined
    }
  }

  /// When the record was last changed.
  public var lastUpdated: Date? {
    get { content.lastUpdated }
    set { content.lastUpdated = newValue }
  }

  // MARK: - Source

  /// The system that the record came through: `validicmobile`.
  public var source: String { LegacySource.validicMobile.name }
  /// The system's name for a reader: `ValidicMobile`.
  public var sourceName: String { LegacySource.validicMobile.displayName }
  /// The manufacturer of the device, if known.
  public var originalSource: String? { content.source.device?.manufacturer }
  /// The system and the way to it, for instance `ValidicMobile Bluetooth`.
  public var intermediarySource: String { "\(sourceName) \(content.source.type.readable)" }
  /// The ``VLDPeripheral/peripheralID`` of the device, if known.
  public var sourcePeripheral: NSNumber? {
    content.source.device?.peripheralID.map { NSNumber(value: $0) }
  }

  /// The device that measured, as far as the record says it; get its texts by its number.
  ///
  /// - Returns: The peripheral; nil when the record names none.
  public func peripheral() -> VLDPeripheral? {
    guard let device = content.source.device, let id = device.peripheralID,
      let number = UInt(exactly: id)
    else { return nil }
    return VLDPeripheral(
      peripheralID: number, type: .none, manufacturer: device.manufacturer ?? "",
      model: device.model ?? "", imageURL: nil, disabled: false)
  }

  /// Whether a device measured the values and nobody can have typed them in; nil when not known.
  public var validated: NSNumber? {
    get { content.isValidated.map { NSNumber(value: $0) } }
    set { content.isValidated = newValue?.boolValue }
  }

  // MARK: - Identifiers

  /// The server's identifier of the record; nil until the server has stored it.
  public var recordID: String? {
    get { content.serverID }
    set { content.serverID = newValue }
  }

  /// The client's identifier of the record, under which a server stores it once.
  ///
  /// A record with the identifier of one that waits replaces it: make a new object for each reading.
  public var activityID: String {
    get { content.logID }
    set { content.logID = newValue }
  }

  // MARK: - Remarks

  /// What an app adds under names of its own: texts, numbers, Booleans, dates (as ISO 8601 texts),
  /// and arrays and dictionaries of these.
  public var extras: [String: Any] {
    get { content.extras.mapValues(\.object) }
    set {
      content.extras = [:]
      for (key, value) in newValue { setExtraValue(value, forKey: key) }
    }
  }

  /// Adds something under a name of the app's own.
  ///
  /// - Parameters:
  ///   - value: A value as in ``extras``; nil removes what is there. A value of another type is left
  ///     out, with a line in the log.
  ///   - key: The name.
  public func setExtraValue(_ value: Any?, forKey key: String) {
    guard let value else {
      content.extras[key] = nil
      return
    }
    guard let extra = ExtraValue(object: value) else {
      return FacadeLog.warn("an extra value of a type that JSON does not have is left out")
    }
    content.extras[key] = extra
  }

  /// The user's words about the record.
  public var comment: String? {
    get { content.comment }
    set { content.comment = newValue }
  }

  // MARK: - Images

  /// The images of the record.
  public var media: [VLDMedia] { content.media.map(VLDMedia.init) + otherMedia }

  /// Adds an image that the server has already.
  ///
  /// - Parameter media: The image, as ``VLDAPIClient`` or a notification gave it.
  public func addMedia(_ media: VLDMedia) {
    guard let image = media.content else {
      otherMedia.append(media)
      return
    }
    content.media.removeAll { $0.sha256 == image.sha256 }
    content.media.append(image)
  }

  // MARK: - Archives and comparison

  /// True: an archive is read with the class that it names only.
  public override class var supportsSecureCoding: Bool { true }

  /// Reads a record from an archive.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    guard let json = coder.decodeObject(of: NSData.self, forKey: Self.contentKey) as Data?,
      let record = try? HealthRecord(informJSON: json)
    else { return nil }
    content = record
    let media = coder.decodeObject(of: [NSArray.self, VLDMedia.self], forKey: Self.mediaKey)
    otherMedia = media as? [VLDMedia] ?? []
    super.init(coder: coder)
  }

  /// Writes the record to an archive; one that has no value yet is not written.
  ///
  /// - Parameter coder: The archive.
  public override func encode(with coder: NSCoder) {
    guard let json = try? content.informJSON() else {
      return FacadeLog.warn("a record that cannot be encoded was not archived")
    }
    coder.encode(Data(json) as NSData, forKey: Self.contentKey)
    coder.encode(NSArray(array: otherMedia), forKey: Self.mediaKey)
  }

  private static let contentKey = "informJSON"
  private static let mediaKey = "media"

  /// Makes a copy that changes independently.
  ///
  /// - Parameter zone: Ignored, as everywhere.
  /// - Returns: A record of the same class.
  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = Self.newRecord(with: recordType())
    copy.content = content
    copy.otherMedia = otherMedia
    return copy
  }

  /// Whether another object is a record of the same class with the same content.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether it is equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? VLDRecord else { return false }
    return type(of: self) == type(of: other) && content == other.content
      && otherMedia.map(\.mediaID) == other.otherMedia.map(\.mediaID)
      && otherMedia.map(\.mediaURL) == other.otherMedia.map(\.mediaURL)
  }

  /// A hash of the record's identifier.
  public override var hash: Int { content.logID.hashValue }

  /// A text without health values, so that it may be logged.
  public override var description: String { content.description }
}

extension SourceType {
  /// What the app itself has made.
  static let app = SourceType(rawValue: "app")
}

// SPDX-License-Identifier: Apache-2.0

/// A tag that was found; its bytes are valid until the scanner goes on.
struct Tag {
  /// From `<` to `>`; empty for a tag that is too long.
  var bytes: ByteView
  /// Where its name is in the bytes.
  var name: Range<Int>
  let element: ElementName
  var isSelfClosing: Bool
  /// The offset of its first byte in the document.
  let offset: Int
  /// The offset of the byte after it.
  var endOffset: Int

  var nameBytes: ByteView { bytes[name] }
}

/// The elements of the format.
enum ElementName: String {
  case healthData = "HealthData"
  case exportDate = "ExportDate"
  case me = "Me"
  case record = "Record"
  case correlation = "Correlation"
  case workout = "Workout"
  case activitySummary = "ActivitySummary"
  case clinicalRecord = "ClinicalRecord"
  case audiogram = "Audiogram"
  case visionPrescription = "VisionPrescription"
  case metadataEntry = "MetadataEntry"
  case beatList = "HeartRateVariabilityMetadataList"
  case beat = "InstantaneousBeatsPerMinute"
  case workoutEvent = "WorkoutEvent"
  case workoutStatistics = "WorkoutStatistics"
  case workoutActivity = "WorkoutActivity"
  case workoutRoute = "WorkoutRoute"
  case fileReference = "FileReference"
  case location = "Location"
  /// Any other, as problems name it.
  case unknown = "an element"

  /// Whether it stands in `HealthData` only.
  var isTopLevel: Bool {
    switch self {
    case .record, .correlation, .workout, .activitySummary, .clinicalRecord, .audiogram,
      .visionPrescription, .exportDate, .me:
      true
    default: false
    }
  }

  var isSample: Bool {
    switch self {
    case .record, .correlation, .workout, .activitySummary: true
    default: false
    }
  }

  /// The element with a name.
  init(_ name: ByteView) {
    // The most frequent ones first.
    if name.equals("Record") {
      self = .record
    } else if name.equals("MetadataEntry") {
      self = .metadataEntry
    } else {
      self = ElementName(rawValue: name.text) ?? .unknown
    }
  }
}

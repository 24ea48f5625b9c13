// SPDX-License-Identifier: Apache-2.0

extension SantorioLogging {
  /// The part of the package that logs a message; an open set.
  ///
  /// Its name is the tag that a handler gets, the category in Apple's log, and the word to search a
  /// log for:
  ///
  /// | Tag | What it tells | The tag of Validic's documents |
  /// |---|---|---|
  /// | `SantorioSession` | sessions that start and end, users that the server knows or refuses |
  /// `VLDSession` |
  /// | `SantorioOutbox` | records and images that are stored, held, released, recovered | |
  /// | `SantorioUpload` | what the server answered, and what the upload waits for | `VLDCore` |
  /// | `SantorioBluetooth` | devices that are found, paired and read | |
  /// | `SantorioHealthKit` | subscriptions to HealthKit and what they deliver | `VLDHealthkit` |
  /// | `SantorioOCR` | displays that are read | |
  /// | `SantorioHub` | what a gateway for several patients does | |
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The tag.
    public let rawValue: String

    /// Makes a category from its tag.
    ///
    /// - Parameter rawValue: The tag, for instance `SantorioUpload`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sessions and their users.
    public static let session = Category(rawValue: "SantorioSession")
    /// What is stored on the disk.
    public static let outbox = Category(rawValue: "SantorioOutbox")
    /// What is sent to the server.
    public static let upload = Category(rawValue: "SantorioUpload")
    /// Reading Bluetooth devices.
    public static let bluetooth = Category(rawValue: "SantorioBluetooth")
    /// Reading HealthKit.
    public static let healthKit = Category(rawValue: "SantorioHealthKit")
    /// Reading displays.
    public static let ocr = Category(rawValue: "SantorioOCR")
    /// A gateway for several patients.
    package static let hub = Category(rawValue: "SantorioHub")

    /// The framework whose switch also switches this category.
    var framework: Frameworks {
      switch self {
      case .bluetooth: .bluetooth
      case .healthKit: .healthKit
      case .ocr: .ocr
      default: .core
      }
    }
  }
}

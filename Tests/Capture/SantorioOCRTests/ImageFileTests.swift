// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  @testable import DigitReader
  import Foundation
  import HealthRecords
  import TestSupport
  import Testing

  @testable import SantorioOCR

  @Suite struct `The file of a photo` {
    /// A JPEG whose Exif data say when it was taken.
    private func photo(_ time: String, _ offset: String) throws -> Data {
      func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
      }
      let texts = [(0x9003, Array(time.utf8) + [0]), (0x9011, Array(offset.utf8) + [0])]
      var tiff = Array("MM".utf8) + number(42, 2) + number(8, 4) + number(1, 2)
      tiff += number(0x8769, 2) + number(4, 2) + number(1, 4) + number(26, 4) + number(0, 4)
      tiff += number(texts.count, 2)
      var place = 26 + 2 + 12 * texts.count + 4
      for (tag, text) in texts {
        tiff += number(tag, 2) + number(2, 2) + number(text.count, 4) + number(place, 4)
        place += text.count
      }
      tiff += number(0, 4) + texts.flatMap(\.1)
      let content = Array("Exif".utf8) + [0, 0] + tiff
      let segment = Data([0xFF, 0xE1] + number(content.count + 2, 2) + content)
      let image = try GrayImage(width: 32, height: 16, filledWith: 90).jpeg()
      return image.prefix(2) + segment + image.dropFirst(2)
    }

    private func file(_ time: String, _ offset: String) throws -> ImageFile {
      let folder = try TemporaryFolder()
      try photo(time, offset).write(to: folder.url.appendingPathComponent("a.jpg"))
      return try ImageFile(
        folder.path("a.jpg"), timeZone: try #require(TimeZone(secondsFromGMT: 0)))
    }

    @Test func `says when and in which zone it was taken`() throws {
      let file = try file("2026:11:27 10:00:00", "+02:00")
      #expect(file.isDated && file.timeZone.secondsFromGMT() == 7200)
      #expect(file.date == Date(timeIntervalSince1970: 1_795_766_400))
    }

    @Test func `of a day that is none has the time of the file`() throws {
      let file = try file("2026:02:31 10:00:00", "+02:00")
      #expect(!file.isDated)
      #expect(abs(file.date.timeIntervalSinceNow) < 600)
    }

    @Test func `makes one record for each kind of device`() throws {
      let image = try GrayImage(width: 32, height: 16, filledWith: 90)
      let date = Date(timeIntervalSince1970: 1_795_766_400)
      func record(_ id: Int, _ value: DisplayReading.Value, _ photo: Data) throws -> HealthRecord {
        let reading = DisplayReading(values: [value], doubt: nil, rows: [])
        let peripheral = try #require(OCRPeripheral.peripheral(forID: id))
        return try #require(
          OCRReading(reading, of: peripheral, at: date, image: image, photo: photo)
        ).record
      }
      let glucose = DisplayReading.Value.shown("104", "glucose", .milligramsPerDecilitre)
      let weight = DisplayReading.Value.shown("71.4", "weight", .kilograms)
      let (first, second) = (Data([1, 2]), Data([3]))
      let id = try record(3, glucose, first).logID
      #expect(try record(9, glucose, first).logID == id)
      #expect(try record(5, weight, first).logID != id)
      #expect(try record(3, glucose, second).logID != id)
      // When the photo was taken is not when it was received.
      let time = try record(3, glucose, first).time
      #expect(time.start == date && time.origin == .unknown && time.received != date)
    }
  }
#endif

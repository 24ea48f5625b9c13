// SPDX-License-Identifier: Apache-2.0

/// The attributes that samples have, as they stand in a tag; of two with one name the first counts.
struct SampleAttributes {
  var type: ByteView?
  var unit: ByteView?
  var value: ByteView?
  var source: ByteView?
  var sourceVersion: ByteView?
  var device: ByteView?
  var created: ByteView?
  var start: ByteView?
  var end: ByteView?

  init(_ tag: ByteView, _ places: borrowing AttributeTable) {
    for index in 0..<places.count {
      let place = places[index]
      note(tag, place)
    }
  }

  @inline(__always)
  private mutating func note(_ tag: ByteView, _ place: AttributePlace) {
    let (key, length) = (Int(place.keyStart), Int(place.keyEnd - place.keyStart))
    // The first eight bytes of the key, and if it is longer, the last eight: together all of it.
    let head = tag.word(at: key, count: length)
    let tail = length > 8 ? tag.word(at: key + length - 8) : 0
    switch (length, head, tail) {
    case (4, Key.type, _): set(&type, tag, place)
    case (4, Key.unit, _): set(&unit, tag, place)
    case (5, Key.value, _): set(&value, tag, place)
    case (10, Key.sourceNa, Key.urceName): set(&source, tag, place)
    case (13, Key.sourceVe, Key.eVersion): set(&sourceVersion, tag, place)
    case (6, Key.device, _): set(&device, tag, place)
    case (12, Key.creation, Key.tionDate): set(&created, tag, place)
    case (9, Key.startDat, Key.tartDate): set(&start, tag, place)
    case (7, Key.endDate, _): set(&end, tag, place)
    default: break
    }
  }

  @inline(__always)
  private func set(_ attribute: inout ByteView?, _ tag: ByteView, _ place: AttributePlace) {
    if attribute == nil { attribute = tag[place.value] }
  }

  /// Up to eight ASCII characters as ``ByteView/word(at:count:)`` has them.
  private enum Key {
    static let type: UInt64 = 0x6570_7974
    static let unit: UInt64 = 0x7469_6e75
    static let value: UInt64 = 0x65_756c_6176
    static let sourceNa: UInt64 = 0x614e_6563_7275_6f73
    static let urceName: UInt64 = 0x656d_614e_6563_7275
    static let sourceVe: UInt64 = 0x6556_6563_7275_6f73
    static let eVersion: UInt64 = 0x6e6f_6973_7265_5665
    static let device: UInt64 = 0x6563_6976_6564
    static let creation: UInt64 = 0x6e6f_6974_6165_7263
    static let tionDate: UInt64 = 0x6574_6144_6e6f_6974
    static let startDat: UInt64 = 0x7461_4474_7261_7473
    static let tartDate: UInt64 = 0x6574_6144_7472_6174
    static let endDate: UInt64 = 0x65_7461_4464_6e65
  }
}

extension ByteView {
  /// A device's properties without the pointer before them, which is another for each record.
  var deviceProperties: ByteView {
    guard hasPrefix("&lt;&lt;HKDevice") || hasPrefix("<<HKDevice") else { return self }
    var begin = firstIndex(of: UInt8(ascii: ","), from: 0, to: count)
    if begin == count { return self[count..<count] }
    repeat { begin += 1 } while begin < count && self[begin] == UInt8(ascii: " ")
    var end = count
    if self[begin..<end].hasSuffix("&gt;") {
      end -= 4
    } else if self[begin..<end].hasSuffix(">") {
      end -= 1
    }
    return self[begin..<end]
  }

  private func hasSuffix(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    return length <= count && self[count - length..<count].hasPrefix(text)
  }
}

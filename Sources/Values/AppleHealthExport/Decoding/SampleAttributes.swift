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
    let (key, length) = (Int(place.keyStart), Int(place.keyEnd &- place.keyStart))
    // Nothing shorter has what follows the shortest of these keys: `type="">`.
    guard key <= tag.count - 8 else { return }
    // The first eight bytes of the key, or all of a shorter one.
    let head = tag.word(at: key)
    switch length {
    case 4 where head & 0xFFFF_FFFF == Key.type: set(&type, tag, place)
    case 4 where head & 0xFFFF_FFFF == Key.unit: set(&unit, tag, place)
    case 5 where head & 0xFF_FFFF_FFFF == Key.value: set(&value, tag, place)
    case 6 where head & 0xFFFF_FFFF_FFFF == Key.device: set(&device, tag, place)
    case 7 where head & 0xFF_FFFF_FFFF_FFFF == Key.endDate: set(&end, tag, place)
    case 9 where head == Key.startDat: noteLong(tag, place, Key.tartDate, &start)
    case 10 where head == Key.sourceNa: noteLong(tag, place, Key.urceName, &source)
    case 12 where head == Key.creation: noteLong(tag, place, Key.tionDate, &created)
    case 13 where head == Key.sourceVe: noteLong(tag, place, Key.eVersion, &sourceVersion)
    default: break
    }
  }

  /// Notes an attribute whose key is right if its last eight bytes are.
  @inline(__always)
  private func noteLong(
    _ tag: ByteView, _ place: AttributePlace, _ tail: UInt64, _ attribute: inout ByteView?
  ) {
    if tag.word(at: Int(place.keyEnd) - 8) == tail { set(&attribute, tag, place) }
  }

  @inline(__always)
  private func set(_ attribute: inout ByteView?, _ tag: ByteView, _ place: AttributePlace) {
    if attribute == nil { attribute = tag[place.value] }
  }

  /// Up to eight ASCII characters as ``ByteView/word(at:)`` has them.
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
    guard isDescription else { return self }
    var begin = firstIndex(of: UInt8(ascii: ","), from: 0, to: count)
    if begin == count { return self[count..<count] }
    repeat { begin += 1 } while begin < count && self[begin] == UInt8(ascii: " ")
    var end = count
    if end - begin >= 4, word(at: end - 8) &>> 32 == 0x3B74_6726 {  // "&gt;"
      end -= 4
    } else if end > begin, self[end - 1] == UInt8(ascii: ">") {
      end -= 1
    }
    return self[begin..<end]
  }

  private var isDescription: Bool {
    count >= 8 && word(at: 0) == 0x3B74_6C26_3B74_6C26  // "&lt;&lt;"
      || hasPrefix("<<HKDevice")
  }
}

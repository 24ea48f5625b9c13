// SPDX-License-Identifier: Apache-2.0

/// Finds the numbers of strings by their bytes, as they stand in the document.
struct StringIndex: ~Copyable {
  /// Strings and bytes that are kept, more than any real export has; those of a document that is
  /// made to use up memory are refused.
  private static let (mostStrings, mostBytes) = (1 << 20, 64 << 20)

  private struct Entry {
    var hash: UInt64 = 0
    var start = 0
    var count = 0
    var string = InternedString.empty
    var isRepaired = false
  }

  /// Where a string stands in a record.
  enum Place: Int, CaseIterable {
    case type, unit, source, sourceVersion, device, value, key
  }

  private(set) var strings = InternedStrings()
  /// Whether the last string had bytes that are not UTF-8.
  private(set) var isRepaired = false
  private var entries: [Entry] = []
  /// The last string at each place, and then the one before it.
  private var recent = [Entry](repeating: Entry(), count: 2 * Place.allCases.count)
  /// Indices of entries plus one, by hash; 0 is free.
  private var slots = [UInt32](repeating: 0, count: 4096)
  private var bytes = TailBuffer()
  private var numbers: [String: InternedString] = ["": .empty]
  // Not known to the author of a document, so that its strings cannot be made to collide.
  private let seed = UInt64.random(in: .min ... .max)

  /// The number of a string, which is likely to be the same as the last one at the same place; nil
  /// when there are too many.
  @inline(__always)
  mutating func intern(_ view: ByteView, at place: Place) -> InternedString? {
    let last = recent[place.rawValue]
    guard isEntry(last, view) else { return internOther(view, at: place) }
    isRepaired = last.isRepaired
    return last.string
  }

  // Records of two devices alternate.
  private mutating func internOther(_ view: ByteView, at place: Place) -> InternedString? {
    let before = recent[place.rawValue + Place.allCases.count]
    guard let entry = isEntry(before, view) ? before : find(view) else { return nil }
    recent[place.rawValue + Place.allCases.count] = recent[place.rawValue]
    recent[place.rawValue] = entry
    isRepaired = entry.isRepaired
    return entry.string
  }

  @inline(__always)
  private func isEntry(_ entry: Entry, _ view: ByteView) -> Bool {
    entry.count == view.count
      && bytes.view[entry.start..<entry.start &+ entry.count].equals(view)
  }

  /// The number of a string; nil when there are too many.
  mutating func intern(_ view: ByteView) -> InternedString? {
    guard let entry = find(view) else { return nil }
    isRepaired = entry.isRepaired
    return entry.string
  }

  private mutating func find(_ view: ByteView) -> Entry? {
    let hash = hash(view)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash, isEntry(entry, view) { return entry }
      slot = (slot + 1) & mask
    }
    return insert(view, hash, slot)
  }

  private mutating func insert(_ view: ByteView, _ hash: UInt64, _ slot: Int) -> Entry? {
    guard entries.count < Self.mostStrings, bytes.count + view.count <= Self.mostBytes else {
      return nil
    }
    let text = view.decoded
    let string = numbers[text] ?? strings.append(text)
    numbers[text] = string
    let entry = Entry(
      hash: hash, start: bytes.count, count: view.count, string: string, isRepaired: !view.isUTF8)
    entries.append(entry)
    bytes.append(view)
    slots[slot] = UInt32(truncatingIfNeeded: entries.count)
    if entries.count * 2 > slots.count { grow() }
    return entry
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }
  }

  private func hash(_ view: ByteView) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: view.count)
    guard view.count >= 8 else { return mix(hash ^ view.shortWord) }
    var index = 0
    while index < view.count &- 8 {
      hash = mix(hash ^ view.word(at: index))
      index &+= 8
    }
    return mix(hash ^ view.word(at: view.count &- 8))
  }

  @inline(__always)
  private func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

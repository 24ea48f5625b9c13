// SPDX-License-Identifier: Apache-2.0

/// Finds the numbers of strings by their bytes, as they stand in the document.
struct StringIndex: ~Copyable {
  /// Strings and bytes that are kept, more than any real export has; those of a document that is
  /// made to use up memory are refused.
  private static let (mostStrings, mostBytes) = (1 << 20, 64 << 20)

  private struct Entry {
    var hash: UInt64
    var start: Int
    var count: Int
    var string: InternedString
  }

  private(set) var strings = InternedStrings()
  private var entries: [Entry] = []
  /// Indices of entries plus one, by hash; 0 is free.
  private var slots = [UInt32](repeating: 0, count: 4096)
  private var bytes = TailBuffer()
  private var numbers: [String: InternedString] = ["": .empty]
  // Not known to whoever makes a document, so that its strings cannot be made to collide.
  private let seed = UInt64.random(in: .min ... .max)

  /// The number of a string; nil when there are too many.
  mutating func intern(_ view: ByteView) -> InternedString? {
    let hash = hash(view)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash, entry.count == view.count,
        bytes.view[entry.start..<entry.start + entry.count].equals(view)
      {
        return entry.string
      }
      slot = (slot + 1) & mask
    }
    return insert(view, hash, slot)
  }

  private mutating func insert(_ view: ByteView, _ hash: UInt64, _ slot: Int) -> InternedString? {
    guard entries.count < Self.mostStrings, bytes.count + view.count <= Self.mostBytes else {
      return nil
    }
    let text = view.decoded
    let string = numbers[text] ?? strings.append(text)
    numbers[text] = string
    entries.append(Entry(hash: hash, start: bytes.count, count: view.count, string: string))
    bytes.append(view)
    slots[slot] = UInt32(truncatingIfNeeded: entries.count)
    if entries.count * 2 > slots.count { grow() }
    return string
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
    var index = 0
    while index &+ 8 < view.count {
      hash = mix(hash ^ view.word(at: index))
      index &+= 8
    }
    return mix(hash ^ view.word(at: index, count: view.count - index))
  }

  @inline(__always)
  private func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

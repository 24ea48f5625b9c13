// SPDX-License-Identifier: Apache-2.0

extension Change.Action {
  /// The bytes of content that the change writes.
  var size: Int {
    switch self {
    case .store(let items, _): items.reduce(0) { $0 + $1.size }
    case .put(let record, _, _): record.bytes.count
    default: 0
    }
  }

  /// The number of items in the change.
  var items: Int {
    guard case .store(let items, _) = self else { return 1 }
    return items.count
  }
}

extension BatchItem {
  /// The bytes of the item.
  fileprivate var size: Int {
    switch self {
    case .record(let record): record.bytes.count
    case .deletion(let deletion): deletion.bytes.count
    case .unusable(let bytes, _, _): bytes.count
    }
  }
}

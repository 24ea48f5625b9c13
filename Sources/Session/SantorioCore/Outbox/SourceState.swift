// SPDX-License-Identifier: Apache-2.0

/// Names a piece of state that a source of records keeps from one reading to the next.
package struct StateName: Hashable, Sendable {
  /// What keeps it, for instance `bluetooth`.
  package let source: String
  /// The device it is about, as the source names it; empty for state of the source itself.
  package let device: String
  /// Which piece, for instance `identity`.
  package let key: String

  /// Makes a name.
  package init(source: String, device: String = "", key: String) {
    self.source = source
    self.device = device
    self.key = key
  }
}

/// A change of a source's state, made in the transaction that stores the records of the same call.
package struct StateChange: Hashable, Sendable {
  /// Which piece.
  package let name: StateName
  /// The new value; nil removes it.
  package let value: [UInt8]?
  /// Whether the value says up to where records are stored, see ``position(_:_:in:)``.
  package let isPosition: Bool
  /// The file that has the records before it; nil for any.
  package let generation: [UInt8]?

  /// Something that stays true whatever becomes of the records, for instance who a device is.
  package static func fact(_ name: StateName, _ value: [UInt8]?) -> StateChange {
    StateChange(name: name, value: value, isPosition: false, generation: nil)
  }

  /// How far a source has been read: a checkpoint of a device's memory, an anchor of a query.
  ///
  /// It vouches for the records before it. When records are lost with a damaged file it goes back
  /// to where it was when the last session ended: what was read for earlier users is not read
  /// again as this one's.
  ///
  /// - Parameters:
  ///   - name: Which piece.
  ///   - value: The position.
  ///   - generation: ``SantorioSession/storageGeneration()`` before the source was asked for what
  ///     follows its last position. In another file records before this one may be missing: there
  ///     it is not stored. Nil for any file.
  /// - Returns: The change.
  package static func position(
    _ name: StateName, _ value: [UInt8], in generation: [UInt8]? = nil
  ) -> StateChange {
    StateChange(name: name, value: value, isPosition: true, generation: generation)
  }
}

/// A piece of state and its value.
package struct SourceState: Hashable, Sendable {
  /// Which piece.
  package let name: StateName
  /// Its value.
  package let value: [UInt8]

  /// Makes a piece of state.
  package init(name: StateName, value: [UInt8]) {
    self.name = name
    self.value = value
  }
}

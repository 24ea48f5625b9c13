// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Dispatch
  import Glibc
  import SantorioConcurrency

  /// The watched folders of the process: Linux grants a user few instances of inotify(7), so that all
  /// watches share one.
  final class FolderWatches: @unchecked Sendable {
    /// nil where the kernel provides none, for instance in some sandboxes.
    static let shared = FolderWatches()

    private struct Watch {
      let folder: Int32
      let prefix: String
      let changed: @Sendable () -> Void
    }

    private struct State {
      var watches: [Int: Watch] = [:]
      var next = 0
    }

    private static let changes = UInt32(
      IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
        | IN_MOVE_SELF | IN_ONLYDIR)

    private let descriptor: Int32
    private let state = Locked(State())
    // Set once; a dispatch source may be used from any thread, but Linux does not declare it.
    private let source: any DispatchSourceRead

    private init?() {
      descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      guard descriptor >= 0 else { return nil }
      source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "santorio.folders"))
      source.setEventHandler { [unowned self] in readMessages() }
      source.activate()
    }

    /// Adds a watch; nil when the folder cannot be watched.
    func add(_ folder: String, prefix: String, _ changed: @escaping @Sendable () -> Void) -> Int? {
      state.withLock { state in
        // A folder that is watched already keeps its number.
        let number = unsafe inotify_add_watch(descriptor, folder, Self.changes)
        guard number >= 0 else { return nil }
        state.next += 1
        state.watches[state.next] = Watch(folder: number, prefix: prefix, changed: changed)
        return state.next
      }
    }

    func remove(_ id: Int) {
      state.withLock { state in
        guard let folder = state.watches.removeValue(forKey: id)?.folder,
          !state.watches.values.contains(where: { $0.folder == folder })
        else { return }
        inotify_rm_watch(descriptor, folder)
      }
    }

    func contains(_ id: Int) -> Bool { state.withLock { $0.watches[id] != nil } }

    private func readMessages() {
      var called: [Int: @Sendable () -> Void] = [:]
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while true {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        for message in FolderMessage.all(in: buffer[..<count]) { receive(message, &called) }
      }
      for changed in called.values { changed() }
    }

    private func receive(_ message: FolderMessage, _ called: inout [Int: @Sendable () -> Void]) {
      state.withLock { state in
        for (id, watch) in state.watches where message.concerns(watch.folder, watch.prefix) {
          called[id] = watch.changed
          if message.isLast { state.watches[id] = nil }
        }
        if message.isMove { inotify_rm_watch(descriptor, message.folder) }
      }
    }
  }

  /// A message of inotify(7).
  struct FolderMessage: Hashable {
    let folder: Int32
    let mask: UInt32
    /// The name of the file; empty for the folder itself.
    let name: [UInt8]

    /// The messages of one read.
    static func all(in bytes: ArraySlice<UInt8>) -> [FolderMessage] {
      var messages: [FolderMessage] = []
      var rest = bytes
      let size = MemoryLayout<inotify_event>.size
      while rest.count >= size {
        let head = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
        guard rest.count >= size + Int(head.len) else { break }
        let name = rest.dropFirst(size).prefix(Int(head.len)).prefix { $0 != 0 }
        messages.append(FolderMessage(folder: head.wd, mask: head.mask, name: Array(name)))
        rest = rest.dropFirst(size + Int(head.len))
      }
      return messages
    }

    func concerns(_ folder: Int32, _ prefix: String) -> Bool {
      // Messages were lost: every folder may have changed.
      if has(IN_Q_OVERFLOW) { return true }
      return folder == self.folder && (name.isEmpty || name.starts(with: prefix.utf8))
    }

    /// Whether the folder is watched no longer.
    var isLast: Bool { has(IN_IGNORED) || has(IN_DELETE_SELF) || isMove }

    /// Whether the folder has another path now.
    var isMove: Bool { has(IN_MOVE_SELF) }

    private func has(_ bit: Int32) -> Bool { mask & UInt32(bitPattern: bit) != 0 }
  }
#endif

// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

#if os(Linux)
  /// Tells when files of a folder change, whichever process changes them, as long as it lives.
  ///
  /// Uses the kernel's messages (inotify(7)); changes of other machines to a network's file system
  /// are not seen.
  package final class FolderWatch: Sendable {
    private let watches: FolderWatches
    private let number: Int

    /// Begins to watch; nil where the system does not tell of changes, or there is no such folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - prefix: What the names of the files begin with.
    ///   - changed: Called on a queue of its own after a file was made, written, renamed or removed;
    ///     once for changes that come together.
    package init?(
      _ folder: String, filesNamed prefix: String, changed: @escaping @Sendable () -> Void
    ) {
      guard let watches = FolderWatches.shared,
        let number = watches.add(folder, prefix: prefix, changed)
      else { return nil }
      self.watches = watches
      self.number = number
    }

    deinit { watches.remove(number) }

    /// Whether the folder is still the one that is watched; false once it was removed.
    package var isAlive: Bool { watches.contains(number) }
  }
#else
  import Darwin
  import Dispatch

  /// Tells when files of a folder change, whichever process changes them, as long as it lives.
  package final class FolderWatch: @unchecked Sendable {
    // What follows changes on the queue only, but for the reading of `isAlive`.
    private let queue = DispatchQueue(label: "santorio.folder")
    private let file: String
    private let changed: @Sendable () -> Void
    private let folderSource: any DispatchSourceFileSystemObject
    private var fileSource: (any DispatchSourceFileSystemObject)?
    private let isFolderThere = Locked(true)

    /// Begins to watch; nil where the system does not tell of changes, or there is no such folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - prefix: What the names of the files begin with; writing is seen in the log of a SQLite
    ///     file of this name.
    ///   - changed: Called on a queue of its own after a file was made, written, renamed or removed;
    ///     once for changes that come together.
    package init?(
      _ folder: String, filesNamed prefix: String, changed: @escaping @Sendable () -> Void
    ) {
      file = "\(folder)/\(prefix)-wal"
      self.changed = changed
      guard let source = Self.source(of: folder, on: queue) else { return nil }
      folderSource = source
      source.setEventHandler { [weak self] in self?.folderChanged() }
      source.activate()
      queue.async { [weak self] in
        self?.watchFile()
        // What was written before the file was watched.
        self?.changed()
      }
    }

    deinit {
      folderSource.cancel()
      fileSource?.cancel()
    }

    /// Whether the folder is still the one that is watched; false once it was removed.
    package var isAlive: Bool { isFolderThere.withLock { $0 } }

    private func folderChanged() {
      if !folderSource.data.isDisjoint(with: [.delete, .rename]) {
        isFolderThere.withLock { $0 = false }
      }
      if fileSource == nil { watchFile() }
      changed()
    }

    private func watchFile() {
      guard fileSource == nil, let source = Self.source(of: file, on: queue) else { return }
      fileSource = source
      source.setEventHandler { [weak self] in self?.fileChanged() }
      source.activate()
    }

    private func fileChanged() {
      if let source = fileSource, !source.data.isDisjoint(with: [.delete, .rename]) {
        source.cancel()
        fileSource = nil
        watchFile()
      }
      changed()
    }

    /// What tells of changes; the file is opened for its events only, which locks nothing.
    private static func source(
      of path: String, on queue: DispatchQueue
    ) -> (any DispatchSourceFileSystemObject)? {
      let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename], queue: queue)
      source.setCancelHandler { close(descriptor) }
      return source
    }
  }
#endif

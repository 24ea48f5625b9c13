// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Finds the files of an export in a folder and in the folders below it.
///
/// No symbolic link is followed.
enum FolderContents {
  /// `apple_health_export/workout-routes/route.gpx` is at the third level.
  private static let deepest = 3
  private static let mostFiles = 200_000

  static func read(_ path: String) throws(ExportArchiveError) -> Contents {
    var contents = Contents()
    var waiting = [(name: "", depth: 1)]
    var count = 0
    while let folder = waiting.popLast() {
      for file in try files(of: path + "/" + folder.name) {
        count += 1
        guard count <= mostFiles else { return contents.sorted }
        let name = folder.name.isEmpty ? file.name : folder.name + "/" + file.name
        if file.isFolder {
          if folder.depth < deepest { waiting.append((name, folder.depth + 1)) }
        } else {
          note(name, in: path, &contents)
        }
      }
    }
    return contents.sorted
  }

  private static func note(_ name: String, in path: String, _ contents: inout Contents) {
    contents.otherFiles.note(name)
    guard name.fileExtension == "xml" else { return }
    contents.candidates += 1
    guard contents.candidates <= Contents.mostCandidates else { return }
    // What cannot be opened is no candidate: a symbolic link, a pipe, another user's file.
    do throws(ExportArchiveError) {
      let file = try OpenFile(path + "/" + name, isInside: true)
      guard Contents.isDocument(try file.beginning(Contents.beginning)) else { return }
      contents.documents.append(Contents.Document(name: name, size: file.size))
    } catch {}
  }

  /// The files and folders in a folder, except symbolic links, by name.
  private static func files(
    of path: String
  ) throws(ExportArchiveError) -> [(name: String, isFolder: Bool)] {
    guard let folder = unsafe opendir(path) else { throw .system(errno) }
    defer { unsafe closedir(folder) }
    var found: [(name: String, isFolder: Bool)] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      var status = stat()
      guard unsafe lstat(path + "/" + name, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: found.append((name, true))
      case S_IFREG: found.append((name, false))
      default: break
      }
    }
    return found.sorted { $0.name < $1.name }
  }
}

extension Contents {
  var sorted: Self {
    var contents = self
    contents.otherFiles.sort()
    return contents
  }
}

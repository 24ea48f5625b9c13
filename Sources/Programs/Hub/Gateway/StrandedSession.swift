// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

/// The session of a single patient, directly in a hub's folder.
///
/// A hub reads and sends only the sessions in the patients' subfolders, so the readings of this one
/// would never be sent.
struct StrandedSession {
  private let folder: URL
  private let names: [String]

  /// Looks for a session's files; nil if the folder holds none.
  init?(in folder: URL) {
    names = SantorioSession.fileNames(in: folder)
    guard !names.isEmpty else { return nil }
    self.folder = folder
  }

  /// The fault, and the commands that move the session to its patient.
  var message: String {
    """
    \(folder.path) holds the session of a single patient, which a hub does not send: its readings \
    would be stranded. Stop the service that reads for that patient (for example: systemctl \
    disable --now santorio), give the patient an alias in the configuration, and move the files as \
    the folder's owner: cd \(folder.path) && mkdir -m 700 ALIAS && mv \
    \(names.joined(separator: " ")) ALIAS/. The hub continues the session if "user", "organization" \
    and "queue_key" are those of the service. Its paired devices are read once "devices" names them \
    (before the hub starts, santorio devices --data \(folder.path)/ALIAS lists them), or after \
    "santorio hub enroll". Or name another "folder"
    """
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioJSON

extension HubConfiguration {
  /// Reads the file and looks whether this machine has what it names: secrets, files, folders.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - environment: The environment of the process, which names systemd's credentials.
  ///   - isRunning: Whether a hub is to work by it at once: a secret that is missing is then no error,
  ///     since it must not keep the devices of others from being read.
  /// - Returns: The configuration or the errors, all of them.
  package static func check(
    file path: String, environment: [String: String] = ProcessInfo.processInfo.environment,
    isRunning: Bool = false
  ) -> HubConfigurationReading {
    let content: [UInt8]
    switch ConfigurationFile.read(path) {
    case .failure(let finding):
      return HubConfigurationReading(configuration: nil, findings: [finding])
    case .success(let bytes): content = bytes
    }
    var reading = read(content)
    guard let configuration = reading.configuration else { return reading }
    let findings = FindingCollector()
    configuration.checkFiles(findings)
    // A hub that starts checks this itself; a reload must not fail for it.
    if !isRunning { configuration.checkSession(findings) }
    configuration.checkSecrets(environment, findings, isRunning: isRunning)
    reading.findings += findings.all
    return HubConfigurationReading(
      configuration: findings.hasErrors ? nil : configuration, findings: reading.findings)
  }

  /// How often, and how long after each time, a file is read again that is not understood.
  private static let socketTries = 6
  private static let socketPause = Duration.milliseconds(100)

  /// The control socket that a file names, whatever else is wrong with it.
  ///
  /// A file that is not understood may be being written just now: it is read again for half a second.
  ///
  /// - Parameter path: The file.
  /// - Returns: The socket's path; nil when the file cannot be read or names none.
  package static func socket(inFile path: String) async -> String? {
    for attempt in 1...socketTries {
      if case .success(let bytes) = ConfigurationFile.read(path),
        let value = try? JSONParser.parse(bytes)
      {
        guard case .string(let socket)? = value["control"]?["socket"] else { return nil }
        return socket
      }
      guard attempt < socketTries, FileManager.default.isReadableFile(atPath: path),
        (try? await Task.sleep(for: socketPause)) != nil
      else { return nil }
    }
    return nil
  }

  /// Where each secret is in the file.
  private var secrets: [(path: String, secret: HubSecret)] {
    var all: [(String, HubSecret?)] = [("queue_key", queueKey), ("mqtt.password", mqtt?.password)]
    for (index, patient) in patients.enumerated() {
      let place = "patients[\(index)]"
      all.append(("\(place).token", patient.account?.token))
      for (index, device) in patient.devices.enumerated() {
        all.append(("\(place).devices[\(index)].bind_key", device.bindKey))
        all.append(("\(place).devices[\(index)].encryption_key", device.encryptionKey))
      }
    }
    return all.compactMap { path, secret in secret.map { (path, $0) } }
  }

  private func checkSecrets(
    _ environment: [String: String], _ findings: FindingCollector, isRunning: Bool
  ) {
    var isOutsideService = false
    let report = { (path: String, message: String) in
      if isRunning { findings.warning(path, message) } else { findings.error(path, message) }
    }
    for (path, secret) in secrets {
      do throws(HubSecret.Failure) {
        let text = try secret.read(environment: environment)
        guard path.hasSuffix(".token") else { continue }
        guard text.utf8.count <= 4096, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
          report(path, "the token must be 1...4096 printable ASCII characters")
          continue
        }
      } catch {
        isOutsideService = isOutsideService || error.isOutsideService
        if !error.isOutsideService { report(path, error.description) }
      }
    }
    guard isOutsideService else { return }
    findings.warning(
      "", "credentials were not looked at: they are there only in the service, which systemd starts"
    )
  }

  private func checkFiles(_ findings: FindingCollector) {
    for (path, file) in [("ca", server?.authorities), ("mqtt.ca", mqtt?.authorities)] {
      guard let file, unsafe access(file, R_OK) != 0 else { continue }
      findings.error(
        path, "\(file.shown) cannot be read: \(unsafe String(cString: strerror(errno)))")
    }
    checkExportFolders(findings)
    var facts = stat()
    guard unsafe stat(folder, &facts) == 0 else {
      guard errno != ENOENT else { return }
      return findings.error(
        "folder", "\(folder.shown) cannot be used: \(unsafe String(cString: strerror(errno)))")
    }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      return findings.error("folder", "\(folder.shown) is not a folder; name another")
    }
    if facts.st_uid != geteuid() {
      findings.warning(
        "folder",
        "\(folder.shown) belongs to another user than this check runs as; run it as the hub's user")
    }
  }
}

extension HubConfiguration {
  private func checkSession(_ findings: FindingCollector) {
    let stranded = StrandedSession(in: URL(fileURLWithPath: folder, isDirectory: true))
    if let stranded { findings.error("folder", stranded.message) }
  }

  // The file cannot say what a symbolic link leads to.
  private func checkExportFolders(_ findings: FindingCollector) {
    var known: [(folder: String, path: String)] = []
    for (index, patient) in patients.enumerated() {
      guard let folder = patient.healthExports?.folder else { continue }
      let path = "patients[\(index)]"
      if unsafe access(folder, R_OK | X_OK) != 0 {
        let reason = unsafe String(cString: strerror(errno))
        findings.warning(
          "\(path).health_exports.folder", "\(folder.shown) cannot be read: \(reason)")
      }
      let real = URL(filePath: folder).resolvingSymlinksInPath().path
      if let shared = known.first(where: { HealthExports.share($0.folder, real) }) {
        findings.error("\(path).health_exports.folder", HealthExports.conflict(with: shared.path))
      }
      known.append((real, path))
    }
  }
}

/// The file of a configuration, which says whose readings are whose.
enum ConfigurationFile {
  enum Outcome {
    case success([UInt8])
    case failure(HubFinding)
  }

  static func read(_ path: String) -> Outcome {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      return failure("\(path.shown) cannot be read: \(reason)")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    defer { withExtendedLifetime(file) {} }
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return failure("\(path.shown) is not a file")
    }
    guard facts.st_mode & 0o022 == 0 else {
      return failure(
        "others may change \(path.shown), and with it whose readings are whose; run: chmod go-w "
          + path.shown)
    }
    // One byte more than allowed tells that there is more.
    guard let data = try? file.read(upToCount: HubConfiguration.maximumBytes + 1) else {
      return failure("\(path.shown) is empty or cannot be read")
    }
    return .success(Array(data))
  }

  private static func failure(_ message: String) -> Outcome {
    .failure(HubFinding(.error, at: "", message))
  }
}

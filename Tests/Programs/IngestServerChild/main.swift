// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngestServer

// A server in a process of its own, for tests that kill it. Arguments: the storage's file, the
// administrator's token, the port (0 for any). It tells its port in one line and ends when its
// standard input does.
let arguments = CommandLine.arguments
guard arguments.count == 4, let port = UInt16(arguments[3]) else { exit(64) }
let configuration = IngestServer.Configuration(
  storagePath: arguments[1], port: port, adminToken: arguments[2])
let server: IngestServer
do {
  server = try IngestServer(configuration: configuration)
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(error.code == .storageInUse ? 75 : 1)
}
print("listening", server.port)
fflush(nil)
while readLine() != nil {}
server.stop()

// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import SyntheticDisplays

// Writes rendered scenes for training: images.bin has the pixels of one after the other, and labels.jsonl
// what can be read in each, one a line. Scripts/train-digit-reader calls it.
//
//     SceneWriter FOLDER COUNT SEED

guard CommandLine.arguments.count == 4, let count = Int(CommandLine.arguments[2]),
  let seed = UInt64(CommandLine.arguments[3])
else {
  FileHandle.standardError.write(Data("usage: SceneWriter FOLDER COUNT SEED\n".utf8))
  exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

/// A new, empty file.
func file(_ name: String) throws -> FileHandle {
  let file = folder.appendingPathComponent(name)
  try Data().write(to: file)
  return try FileHandle(forWritingTo: file)
}

let (images, labels) = (try file("images.bin"), try file("labels.jsonl"))
let difficulties: [SceneDifficulty] = [.easy, .medium, .medium, .hard]
for index in 0..<count {
  var generator = SceneGenerator(seed: seed &* 1_000_003 &+ UInt64(index))
  let scene = try generator.next(difficulty: difficulties[index % difficulties.count])
  try images.write(contentsOf: Data(scene.image.pixels))
  try labels.write(contentsOf: Data((scene.json + "\n").utf8))
}

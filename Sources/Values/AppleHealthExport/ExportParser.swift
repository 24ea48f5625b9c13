// SPDX-License-Identifier: Apache-2.0

struct ExportParser: ~Copyable {
  let position: ExportPosition
  let strings = InternedStrings()
  let header = ExportedHeader()
  let counts = ExportCounts()
  let problems = ExportProblems()
  let isComplete = false

  init(at position: ExportPosition) { self.position = position }
}

// SPDX-License-Identifier: Apache-2.0

import SyntheticDisplays

private func rendering() throws -> [Scene] {
  var generator = SceneGenerator(seed: 7)
  let scene = try generator.next(difficulty: .hard, layout: .bloodPressure)
  let frames = try generator.burst(15, layout: .scale)
  return frames + [scene]
}

// SPDX-License-Identifier: Apache-2.0

import SantorioUI

/// What a screen says about an attempt.
public enum Message: Hashable, Sendable {
  /// The app's own words.
  case text(AppText)
  /// Those of SantorioUI, with what to do.
  case problem(Problem)
}

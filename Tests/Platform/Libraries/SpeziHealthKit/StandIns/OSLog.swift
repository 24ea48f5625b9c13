// SPDX-License-Identifier: Apache-2.0

// In place of Apple's logger, that of SpeziFoundation, which is swift-log's on Linux.
@_exported import SpeziFoundation

// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SantorioOCR

#if canImport(UIKit)
  public import UIKit
#endif

/// A bright spot that hides a part of the display.
#if canImport(ObjectiveC)
  @objc(VLDGlareArea) @objcMembers
#endif
public final class VLDGlareArea: NSObject, Sendable {
  /// The middle of the spot, in pixels of the frame.
  public let location: CGPoint
  /// The rectangle around the spot, in pixels of the frame.
  public let frame: CGRect

  init(_ area: GlareArea) {
    frame = CGRect(x: area.x, y: area.y, width: area.width, height: area.height)
    location = CGPoint(x: area.x + area.width / 2, y: area.y + area.height / 2)
    super.init()
  }
}

/// What was seen in a frame while frames do not agree yet.
#if canImport(ObjectiveC)
  @objc(VLDOCRResult) @objcMembers
#endif
public final class VLDOCRResult: NSObject {
  /// What was read so far, a line for each value; a question mark for a digit that is not sure.
  public let resultString: String
  /// Spots of light that hide a part of the display.
  public let glare: [VLDGlareArea]
  #if canImport(UIKit)
    /// The display in the frame, if it was found.
    public let image: UIImage?
  #endif

  #if canImport(UIKit)
    init(_ result: OCRResult, image: UIImage?) {
      resultString = result.string
      glare = result.glare.map(VLDGlareArea.init)
      self.image = image
      super.init()
    }
  #else
    package init(_ result: OCRResult) {
      resultString = result.string
      glare = result.glare.map(VLDGlareArea.init)
      super.init()
    }
  #endif
}

// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import DigitReader
  public import UIKit

  extension OCRPeripheral {
    /// The overlay as an image, to be shown over the picture of the camera.
    ///
    /// - Parameter height: Its height in points.
    /// - Returns: The image, white with transparent parts.
    @MainActor public func overlayImage(height: CGFloat = 300) -> UIImage {
      let size = CGSize(width: height * overlay.aspectRatio, height: height)
      return UIGraphicsImageRenderer(size: size).image { _ in
        UIColor.white.setStroke()
        let outline = UIBezierPath(
          roundedRect: CGRect(origin: .zero, size: size).insetBy(dx: 2, dy: 2),
          cornerRadius: height / 20)
        outline.lineWidth = 3
        outline.stroke()
        UIColor.white.withAlphaComponent(0.35).setFill()
        for segment in overlay.segments {
          let path = UIBezierPath()
          for (index, point) in segment.enumerated() {
            let place = CGPoint(x: point.x * height, y: point.y * height)
            if index == 0 { path.move(to: place) } else { path.addLine(to: place) }
          }
          path.close()
          path.fill()
        }
      }
    }
  }
#endif

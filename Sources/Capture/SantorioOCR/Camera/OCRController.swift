// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  public import AVFoundation
  public import DigitReader
  public import UIKit

  /// What an ``OCRController`` tells of.
  @MainActor public protocol OCRControllerDelegate: AnyObject {
    /// A frame was looked at, and frames do not agree yet.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - result: What was seen.
    ///   - image: The display in the frame, if it was found.
    func ocrController(
      _ controller: OCRController, didProcess result: OCRResult, image: UIImage?)

    /// The display was read; no more frames are looked at. Show the values and the image to the person,
    /// then submit the record with the image.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - reading: What was read.
    ///   - image: The display in the last frame; empty if no picture could be made of it.
    ///   - metadata: The last frame.
    func ocrController(
      _ controller: OCRController, didComplete reading: OCRReading, image: UIImage,
      metadata: OCRMetadata)

    /// The time was over; no more frames are looked at.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - advice: Why nothing was read, the worst first; none when the camera gave no frame.
    func ocrController(_ controller: OCRController, didTimeOut advice: [CaptureAdvice])
  }

  /// The last frame of a reading.
  public struct OCRMetadata: Sendable {
    /// The whole frame.
    public let finalPreview: UIImage
    /// Where the display is in it, in pixels.
    public let imageFrame: CGRect
  }

  /// Reads the display of a device with the camera.
  ///
  /// It begins when it is made and ends when it is released, or after a final result; make another one
  /// for another reading. The app needs `NSCameraUsageDescription` and the permission to use the camera.
  /// Lay ``OCRPeripheral/overlayImage(height:)`` over ``previewLayer``, at ``overlayFrame``.
  @MainActor public final class OCRController {
    /// Is told of results.
    public weak var delegate: (any OCRControllerDelegate)?
    /// The device.
    public let peripheral: OCRPeripheral
    /// The picture of the camera.
    public let previewLayer: AVCaptureVideoPreviewLayer
    /// Where the overlay is to be in the preview; set by ``configure(forPreviewLayerSize:)``.
    public private(set) var overlayFrame = CGRect.zero
    private let feed: CameraFeed
    private var isOver = false

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - peripheral: The device.
    ///   - options: How it is read, such as the unit.
    /// - Throws: ``OCRError``.
    public init(peripheral: OCRPeripheral, options: OCROptions = OCROptions()) throws(OCRError) {
      let recognizer = try OCRRecognizer(peripheral, options: options)
      let relay = Relay()
      feed = CameraFeed(recognizer) { relay.controller?.take($0) }
      previewLayer = AVCaptureVideoPreviewLayer(session: feed.session)
      previewLayer.videoGravity = .resizeAspectFill
      self.peripheral = peripheral
      relay.controller = self
      feed.start()
      guard let timeout = options.timeout else { return }
      // The recognizer counts the time of frames, which a camera may never give.
      Task { [weak self] in
        try? await Task.sleep(for: timeout + .seconds(5))
        self?.timedOut([])
      }
    }

    deinit { feed.stop() }

    /// Computes the frame of the overlay for a size of the preview; call it whenever that changes.
    ///
    /// - Parameter size: The size of ``previewLayer``.
    public func configure(forPreviewLayerSize size: CGSize) {
      let frame = peripheral.overlay.frame(inWidth: size.width, height: size.height)
      overlayFrame = CGRect(
        x: frame.topLeft.x, y: frame.topLeft.y, width: frame.width, height: frame.height)
      guard !overlayFrame.isEmpty, previewLayer.connection != nil else { return }
      let area = previewLayer.metadataOutputRectConverted(fromLayerRect: overlayFrame)
      feed.look(at: feed.output.outputRectConverted(fromMetadataOutputRect: area))
    }

    /// Knows the controller without keeping it, since the camera keeps what it reports to.
    @MainActor private final class Relay {
      weak var controller: OCRController?
    }

    private func take(_ told: CameraOutcome) {
      guard !isOver else { return }
      switch told.outcome {
      case .partial(let result):
        delegate?.ocrController(self, didProcess: result, image: told.image)
      case .complete(let reading, _):
        end()
        // A reading is not lost for want of a picture.
        let image = told.image ?? UIImage()
        delegate?.ocrController(
          self, didComplete: reading, image: image,
          metadata: OCRMetadata(
            finalPreview: told.preview ?? image, imageFrame: told.imageFrame))
      case .timedOut(let advice, _): timedOut(advice)
      }
    }

    private func timedOut(_ advice: [CaptureAdvice]) {
      guard !isOver else { return }
      end()
      delegate?.ocrController(self, didTimeOut: advice)
    }

    private func end() {
      isOver = true
      feed.stop()
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  public import AVFoundation
  import DigitReader
  import SantorioOCR
  public import UIKit
  public import ValidicCore

  /// The whole last frame, a `UIImage`, in the metadata of a reading.
  public let kVLDOCRMetadataFinalPreviewKey = "kVLDOCRMetadataFinalPreviewKey"
  /// Where the display is in the last frame, an `NSValue` with a `CGRect` in pixels.
  public let kVLDOCRMetadataImageFrameKey = "kVLDOCRMetadataImageFrameKey"

  extension OCRMetadata {
    var dictionary: [AnyHashable: Any] {
      [
        kVLDOCRMetadataFinalPreviewKey: finalPreview,
        kVLDOCRMetadataImageFrameKey: NSValue(cgRect: imageFrame),
      ]
    }
  }

  /// Hears of what a ``VLDOCRController`` reads, on the main thread.
  @MainActor @objc(VLDOCRControllerDelegate)
  public protocol VLDOCRControllerDelegate: NSObjectProtocol {
    /// A frame was looked at, and frames do not agree yet.
    ///
    /// - Parameters:
    ///   - ocrController: The controller.
    ///   - result: What was seen.
    @objc(ocrController:didProcessResult:)
    func ocrController(_ ocrController: VLDOCRController, didProcessResult result: VLDOCRResult?)

    /// The display was read. Show the values and the image to the user, then submit the record.
    ///
    /// - Parameters:
    ///   - ocrController: The controller.
    ///   - record: What was read.
    ///   - image: The display.
    ///   - peripheral: The device.
    ///   - metadata: The last frame, see ``kVLDOCRMetadataFinalPreviewKey``.
    @objc(ocrController:didCompleteReading:image:forPeripheral:metadata:)
    func ocrController(
      _ ocrController: VLDOCRController, didCompleteReading record: VLDRecord?, image: UIImage?,
      forPeripheral peripheral: VLDOCRPeripheral?, metadata: [AnyHashable: Any]?)
  }

  /// Reads the display of a device with the camera, in views of the app's own.
  ///
  /// It begins when it is made and ends when it is released, or after a final result.
  @MainActor @objc(VLDOCRController) @objcMembers
  public final class VLDOCRController: NSObject {
    /// Hears of results; not kept alive.
    public weak var delegate: (any VLDOCRControllerDelegate)?
    private let controller: OCRController
    private let relay = ControllerRelay()
    private let peripheral: VLDOCRPeripheral

    /// Begins to read; nil when the networks of the reader are missing.
    ///
    /// - Parameter ocrPeripheral: The device.
    @objc(initWithOCRPeripheral:)
    public convenience init?(ocrPeripheral: VLDOCRPeripheral) {
      self.init(ocrPeripheral, unit: nil)
    }

    /// Begins to read a meter with a unit of glucose; nil for a device that has no such unit.
    ///
    /// - Parameters:
    ///   - ocrPeripheral: The device.
    ///   - glucoseUnit: The unit that is set on the device.
    @objc(initWithOCRPeripheral:glucoseUnit:)
    public convenience init?(ocrPeripheral: VLDOCRPeripheral, glucoseUnit: VLDGlucoseUnit) {
      self.init(ocrPeripheral, unit: glucoseUnit.displayUnit)
    }

    /// Begins to read a thermometer with a unit; nil for a device that has no such unit.
    ///
    /// - Parameters:
    ///   - ocrPeripheral: The device.
    ///   - temperatureUnit: The unit that is set on the device.
    @objc(initWithOCRPeripheral:temperatureUnit:)
    public convenience init?(
      ocrPeripheral: VLDOCRPeripheral, temperatureUnit: VLDTemperatureUnit
    ) {
      self.init(ocrPeripheral, unit: temperatureUnit.displayUnit)
    }

    private init?(_ peripheral: VLDOCRPeripheral, unit: DisplayUnit?) {
      guard
        let controller = try? OCRController(
          peripheral: peripheral.content, options: OCROptions(unit: unit))
      else { return nil }
      self.controller = controller
      self.peripheral = peripheral
      super.init()
      relay.owner = self
      controller.delegate = relay
    }

    /// The picture of the camera.
    public var previewLayer: AVCaptureVideoPreviewLayer? { controller.previewLayer }
    /// Where the overlay is to be in the preview; set by ``configure(forPreviewLayerSize:)``.
    public var overlayFrame: CGRect { controller.overlayFrame }

    /// Computes the frame of the overlay for a size of the preview; call it whenever that changes.
    ///
    /// - Parameter size: The size of ``previewLayer``.
    @objc(configureForPreviewLayerSize:)
    public func configure(forPreviewLayerSize size: CGSize) {
      controller.configure(forPreviewLayerSize: size)
    }

    fileprivate func saw(_ result: OCRResult, _ image: UIImage?) {
      delegate?.ocrController(self, didProcessResult: VLDOCRResult(result, image: image))
    }

    fileprivate func read(_ reading: OCRReading, _ image: UIImage, _ metadata: OCRMetadata) {
      delegate?.ocrController(
        self, didCompleteReading: VLDRecord.record(of: reading.record), image: image,
        forPeripheral: peripheral, metadata: metadata.dictionary)
    }
  }

  /// Passes on what a controller of Santorio's says.
  private final class ControllerRelay: OCRControllerDelegate {
    weak var owner: VLDOCRController?

    func ocrController(
      _ controller: OCRController, didProcess result: OCRResult, image: UIImage?
    ) { owner?.saw(result, image) }

    func ocrController(
      _ controller: OCRController, didComplete reading: OCRReading, image: UIImage,
      metadata: OCRMetadata
    ) { owner?.read(reading, image, metadata) }

    /// Without a timeout it is not called.
    func ocrController(_ controller: OCRController, didTimeOut advice: [CaptureAdvice]) {}
  }

  extension VLDOCRPeripheral {
    /// The overlay by which the display is brought into place.
    ///
    /// - Returns: The image, white with transparent parts.
    @MainActor @objc public func overlayImage() -> UIImage? { content.overlayImage() }
  }
#endif

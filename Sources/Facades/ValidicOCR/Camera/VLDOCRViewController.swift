// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import DigitReader
  import SantorioOCR
  public import UIKit
  public import ValidicCore

  /// Hears of the result of a ``VLDOCRViewController``, on the main thread; dismiss it in each case.
  @MainActor @objc(VLDOCRViewControllerDelegate)
  public protocol VLDOCRViewControllerDelegate: NSObjectProtocol {
    /// The user has cancelled.
    ///
    /// - Parameter viewController: The view controller.
    @objc(ocrViewControllerDidCancel:)
    func ocrViewControllerDidCancel(_ viewController: VLDOCRViewController)

    /// The app may not use the camera.
    ///
    /// - Parameter viewController: The view controller.
    @objc(ocrViewControllerWasDeniedCameraAuthorization:)
    func ocrViewControllerWasDeniedCameraAuthorization(_ viewController: VLDOCRViewController)

    /// The display was read. Show the values and the image to the user, then submit the record.
    ///
    /// - Parameters:
    ///   - viewController: The view controller.
    ///   - record: What was read.
    ///   - image: The display.
    ///   - metadata: The last frame, see ``kVLDOCRMetadataFinalPreviewKey``.
    @objc(ocrViewController:didCompleteReading:image:metadata:)
    func ocrViewController(
      _ viewController: VLDOCRViewController, didCompleteReading record: VLDRecord?,
      image: UIImage?, metadata: [AnyHashable: Any]?)
  }

  /// A whole screen that reads the display of a device.
  @objc(VLDOCRViewController) @objcMembers
  public final class VLDOCRViewController: UIViewController, OCRViewControllerDelegate {
    /// Hears of the result; not kept alive.
    public weak var delegate: (any VLDOCRViewControllerDelegate)?
    private let reader: OCRViewController

    /// A screen for the device of a number; nil if there is no such device.
    ///
    /// - Parameter peripheralID: The number in the catalogue of displays.
    @objc(initWithOCRPeripheralID:)
    public convenience init?(ocrPeripheralID peripheralID: UInt) {
      self.init(peripheralID, unit: nil)
    }

    /// A screen for a meter with a unit of glucose; nil if there is no such device, or it has no such
    /// unit.
    ///
    /// - Parameters:
    ///   - peripheralID: The number in the catalogue of displays.
    ///   - glucoseUnit: The unit that is set on the device.
    @objc(initWithOCRPeripheralID:glucoseUnit:)
    public convenience init?(ocrPeripheralID peripheralID: UInt, glucoseUnit: VLDGlucoseUnit) {
      self.init(peripheralID, unit: glucoseUnit.displayUnit)
    }

    /// A screen for a thermometer with a unit; nil if there is no such device, or it has no such unit.
    ///
    /// - Parameters:
    ///   - peripheralID: The number in the catalogue of displays.
    ///   - temperatureUnit: The unit that is set on the device.
    @objc(initWithOCRPeripheralID:temperatureUnit:)
    public convenience init?(
      ocrPeripheralID peripheralID: UInt, temperatureUnit: VLDTemperatureUnit
    ) {
      self.init(peripheralID, unit: temperatureUnit.displayUnit)
    }

    private init?(_ id: UInt, unit: DisplayUnit?) {
      guard let id = Int(exactly: id),
        let reader = OCRViewController(ocrPeripheralID: id, unit: unit)
      else { return nil }
      self.reader = reader
      super.init(nibName: nil, bundle: nil)
      reader.delegate = self
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    /// Shows the camera.
    override public func viewDidLoad() {
      super.viewDidLoad()
      addChild(reader)
      reader.view.frame = view.bounds
      reader.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(reader.view)
      reader.didMove(toParent: self)
    }

    // MARK: - OCRViewControllerDelegate

    /// Passes on that the user has cancelled.
    @nonobjc
    public func ocrViewControllerDidCancel(_ viewController: OCRViewController) {
      delegate?.ocrViewControllerDidCancel(self)
    }

    /// Passes on that the camera may not be used.
    @nonobjc
    public func ocrViewControllerWasDeniedCameraAuthorization(
      _ viewController: OCRViewController
    ) {
      delegate?.ocrViewControllerWasDeniedCameraAuthorization(self)
    }

    /// Passes on what was read.
    @nonobjc
    public func ocrViewController(
      _ viewController: OCRViewController, didComplete reading: OCRReading, image: UIImage,
      metadata: OCRMetadata
    ) {
      delegate?.ocrViewController(
        self, didCompleteReading: VLDRecord.record(of: reading.record), image: image,
        metadata: metadata.dictionary)
    }
  }
#endif

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
  public final class VLDOCRViewController: UIViewController {
    /// Hears of the result; not kept alive.
    public weak var delegate: (any VLDOCRViewControllerDelegate)?
    private let reader: OCRViewController
    private let relay = ScreenRelay()

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
      relay.owner = self
      reader.delegate = relay
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

    fileprivate func cancelled() { delegate?.ocrViewControllerDidCancel(self) }

    fileprivate func wasDenied() {
      delegate?.ocrViewControllerWasDeniedCameraAuthorization(self)
    }

    fileprivate func read(_ reading: OCRReading, _ image: UIImage, _ metadata: OCRMetadata) {
      delegate?.ocrViewController(
        self, didCompleteReading: VLDRecord.record(of: reading.record), image: image,
        metadata: metadata.dictionary)
    }
  }

  /// Passes on what a screen of Santorio's says.
  private final class ScreenRelay: OCRViewControllerDelegate {
    weak var owner: VLDOCRViewController?

    func ocrViewControllerDidCancel(_ viewController: OCRViewController) { owner?.cancelled() }

    func ocrViewControllerWasDeniedCameraAuthorization(_ viewController: OCRViewController) {
      owner?.wasDenied()
    }

    func ocrViewController(
      _ viewController: OCRViewController, didComplete reading: OCRReading, image: UIImage,
      metadata: OCRMetadata
    ) { owner?.read(reading, image, metadata) }
  }
#endif

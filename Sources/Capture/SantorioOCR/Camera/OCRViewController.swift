// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import AVFoundation
  public import DigitReader
  public import UIKit

  /// What an ``OCRViewController`` tells of; dismiss it in each case.
  @MainActor public protocol OCRViewControllerDelegate: AnyObject {
    /// The person has cancelled.
    ///
    /// - Parameter viewController: The view controller.
    func ocrViewControllerDidCancel(_ viewController: OCRViewController)

    /// The app may not use the camera.
    ///
    /// - Parameter viewController: The view controller.
    func ocrViewControllerWasDeniedCameraAuthorization(_ viewController: OCRViewController)

    /// The display was read. Show the values and the image to the person, then submit the record with the
    /// image.
    ///
    /// - Parameters:
    ///   - viewController: The view controller.
    ///   - reading: What was read.
    ///   - image: The display.
    ///   - metadata: The last frame.
    func ocrViewController(
      _ viewController: OCRViewController, didComplete reading: OCRReading, image: UIImage,
      metadata: OCRMetadata)
  }

  /// A whole screen that reads the display of a device: the picture of the camera with the overlay, what
  /// was read so far, what to do, and a button to cancel.
  ///
  /// Its texts are English, and keys of the app's own strings: "Cancel", and the `text` of each
  /// `CaptureAdvice`.
  public final class OCRViewController: UIViewController, OCRControllerDelegate {
    /// Is told of the result.
    public weak var delegate: (any OCRViewControllerDelegate)?
    private let peripheral: OCRPeripheral
    private let options: OCROptions
    private var controller: OCRController?
    private let overlayView = UIImageView()
    private let valueLabel = UILabel()
    private let adviceLabel = UILabel()

    /// A screen for a device.
    ///
    /// - Parameters:
    ///   - peripheral: The device.
    ///   - options: How it is read, such as the unit.
    /// - Throws: ``OCRError/otherUnit(_:_:)``.
    public init(peripheral: OCRPeripheral, options: OCROptions = OCROptions()) throws(OCRError) {
      guard peripheral.layout(in: options.unit) != nil else {
        throw .otherUnit(options.unit, peripheral)
      }
      (self.peripheral, self.options) = (peripheral, options)
      super.init(nibName: nil, bundle: nil)
    }

    /// A screen for the device of a number; nil if there is no such device, or it has not this unit.
    ///
    /// - Parameters:
    ///   - id: The number in the catalogue.
    ///   - unit: The unit that is set on the device.
    public convenience init?(ocrPeripheralID id: Int, unit: DisplayUnit? = nil) {
      guard let peripheral = OCRPeripheral.peripheral(forID: id),
        peripheral.layout(in: unit) != nil
      else { return nil }
      try? self.init(peripheral: peripheral, options: OCROptions(unit: unit))
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    /// Lays out the screen, and asks for the camera.
    override public func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = .black
      addSubviews()
      switch AVCaptureDevice.authorizationStatus(for: .video) {
      case .authorized: start()
      case .notDetermined:
        AVCaptureDevice.requestAccess(for: .video) { [weak self] isGranted in
          Task { @MainActor [weak self] in self?.answered(isGranted) }
        }
      default: Task { [weak self] in self?.answered(false) }
      }
    }

    /// Brings the overlay to where the display is to be.
    override public func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      layOut()
    }

    private func answered(_ isGranted: Bool) {
      if isGranted {
        start()
      } else {
        delegate?.ocrViewControllerWasDeniedCameraAuthorization(self)
      }
    }

    private func start() {
      do {
        let controller = try OCRController(peripheral: peripheral, options: options)
        controller.delegate = self
        view.layer.insertSublayer(controller.previewLayer, at: 0)
        self.controller = controller
        layOut()
      } catch {
        adviceLabel.text = String(describing: error)
      }
    }

    private func layOut() {
      guard let controller else { return }
      controller.previewLayer.frame = view.bounds
      controller.configure(forPreviewLayerSize: view.bounds.size)
      overlayView.frame = controller.overlayFrame
    }

    // MARK: - Views

    private func addSubviews() {
      overlayView.image = peripheral.overlayImage()
      overlayView.isAccessibilityElement = false
      for (label, style) in [(valueLabel, UIFont.TextStyle.largeTitle), (adviceLabel, .body)] {
        label.font = .preferredFont(forTextStyle: style)
        label.adjustsFontForContentSizeCategory = true
        label.textColor = .white
        label.textAlignment = .center
        label.numberOfLines = 0
      }
      let cancel = UIButton(
        type: .system,
        primaryAction: UIAction(title: String(localized: "Cancel")) { [weak self] _ in
          guard let self else { return }
          delegate?.ocrViewControllerDidCancel(self)
        })
      cancel.tintColor = .white
      let stack = UIStackView(arrangedSubviews: [valueLabel, adviceLabel, cancel])
      stack.axis = .vertical
      stack.spacing = 12
      stack.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(overlayView)
      view.addSubview(stack)
      let guide = view.safeAreaLayoutGuide
      NSLayoutConstraint.activate([
        stack.leadingAnchor.constraint(equalTo: guide.leadingAnchor, constant: 20),
        stack.trailingAnchor.constraint(equalTo: guide.trailingAnchor, constant: -20),
        stack.bottomAnchor.constraint(equalTo: guide.bottomAnchor, constant: -20),
      ])
    }

    // MARK: - OCRControllerDelegate

    /// Shows what was read so far.
    public func ocrController(
      _ controller: OCRController, didProcess result: OCRResult, image: UIImage?
    ) {
      valueLabel.text = result.string
      show(result.advice)
    }

    /// Passes the reading on.
    public func ocrController(
      _ controller: OCRController, didComplete reading: OCRReading, image: UIImage,
      metadata: OCRMetadata
    ) {
      delegate?.ocrViewController(self, didComplete: reading, image: image, metadata: metadata)
    }

    /// Says why nothing was read, and goes on.
    public func ocrController(_ controller: OCRController, didTimeOut advice: [CaptureAdvice]) {
      controller.previewLayer.removeFromSuperlayer()
      self.controller = nil
      start()
      show(advice)
    }

    private func show(_ advice: [CaptureAdvice]) {
      adviceLabel.text = advice.first.map {
        Bundle.main.localizedString(forKey: $0.text, value: $0.text, table: nil)
      }
    }
  }
#endif

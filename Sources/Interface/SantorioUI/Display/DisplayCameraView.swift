// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI) && os(iOS)
  import AVFoundation
  import DigitReader
  import SantorioOCR
  import SwiftUI
  import UIKit

  /// The picture of the camera with the shape of the display.
  @MainActor struct DisplayCameraView: UIViewControllerRepresentable {
    let model: DisplayModel
    let display: OCRPeripheral

    func makeUIViewController(context: Context) -> DisplayCameraController {
      DisplayCameraController(model: model, display: display)
    }

    func updateUIViewController(_ controller: DisplayCameraController, context: Context) {}
  }

  /// Asks for the camera, shows its picture, and passes on what comes of its frames.
  final class DisplayCameraController: UIViewController, OCRControllerDelegate {
    private let model: DisplayModel
    private let display: OCRPeripheral
    private let overlay = UIImageView()
    private var controller: OCRController?

    init(model: DisplayModel, display: OCRPeripheral) {
      (self.model, self.display) = (model, display)
      super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = .black
      overlay.image = display.overlayImage()
      overlay.isAccessibilityElement = false
      view.addSubview(overlay)
      switch AVCaptureDevice.authorizationStatus(for: .video) {
      case .authorized: start()
      case .notDetermined:
        // The system answers on a queue of its own.
        AVCaptureDevice.requestAccess(for: .video) { @Sendable [weak self] isGranted in
          Task { @MainActor [weak self] in self?.answered(isGranted) }
        }
      default: Task { [weak self] in self?.answered(false) }
      }
    }

    override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      layOut()
    }

    private func answered(_ isGranted: Bool) {
      if isGranted { start() } else { model.failed(nil) }
    }

    private func start() {
      do {
        let controller = try OCRController(peripheral: display, options: model.options)
        controller.delegate = self
        view.layer.insertSublayer(controller.previewLayer, at: 0)
        self.controller = controller
        layOut()
      } catch {
        model.failed(error)
      }
    }

    private func layOut() {
      guard let controller else { return }
      controller.previewLayer.frame = view.bounds
      controller.configure(forPreviewLayerSize: view.bounds.size)
      overlay.frame = controller.overlayFrame
    }

    // MARK: - OCRControllerDelegate

    func ocrController(
      _ controller: OCRController, didProcess result: OCRResult, image: UIImage?
    ) {
      model.heard(.partial(result))
    }

    func ocrController(
      _ controller: OCRController, didComplete reading: OCRReading, image: UIImage,
      metadata: OCRMetadata
    ) {
      model.took(reading, image: image.jpegData(compressionQuality: 0.8))
    }

    func ocrController(_ controller: OCRController, didTimeOut advice: [CaptureAdvice]) {
      controller.previewLayer.removeFromSuperlayer()
      self.controller = nil
      model.timedOut(advice)
      start()
    }
  }
#endif

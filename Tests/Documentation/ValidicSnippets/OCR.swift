// SPDX-License-Identifier: Apache-2.0

import Foundation
import ValidicCore
import ValidicOCR

#if os(iOS)
  import AVFoundation
  import UIKit
#endif

// The code of Validic's guide "iOS Native SDK" on the reading of displays ("VitalSnap").

/// "OCR Peripherals".
enum OCRPeripheralSnippets {
  static func peripherals() -> (one: VLDOCRPeripheral?, ofType: [Any]?, all: [Any]?) {
    // Changed: the guide gives two constants the same name.
    let peripheral = VLDOCRPeripheral(forID: 1)
    let peripheralsOfType = VLDOCRPeripheral.peripherals(of: .glucoseMeter)
    let peripherals = VLDOCRPeripheral.supportedPeripherals()
    return (peripheral, peripheralsOfType, peripherals)
  }
}

#if os(iOS)
  /// "OCR View controller" and "Runtime unit selection".
  final class OCRViewControllerScreen: UIViewController, VLDOCRViewControllerDelegate {
    var ocrViewController: VLDOCRViewController?

    func presentReader() {
      if let controller = VLDOCRViewController(ocrPeripheralID: 3) {
        controller.delegate = self
        self.present(controller, animated: true, completion: nil)
      }
    }

    func chooseUnit() {
      ocrViewController = VLDOCRViewController(ocrPeripheralID: 9, glucoseUnit: .MMOLL)
    }

    func ocrViewControllerDidCancel(_ viewController: VLDOCRViewController) {
      viewController.dismiss(animated: true, completion: nil)
    }

    func ocrViewControllerWasDeniedCameraAuthorization(_ viewController: VLDOCRViewController) {
      print("Unable to access camera")
      viewController.dismiss(animated: true, completion: nil)
    }

    func ocrViewController(
      _ viewController: VLDOCRViewController, didCompleteReading record: VLDRecord?,
      image: UIImage?, metadata: [AnyHashable: Any]?
    ) {
      viewController.dismiss(animated: true, completion: nil)
      submit(record, image)
    }

    func submit(_ record: VLDRecord?, _ image: UIImage?) {
      VLDSession.sharedInstance().submitRecord(record, image: image)
    }
  }

  /// "OCR - Custom view", with the overlay in a view.
  final class CustomOCRScreen: UIViewController, VLDOCRControllerDelegate {
    var controller: VLDOCRController?
    @IBOutlet var previewView: UIView!
    @IBOutlet var overlayView: UIImageView!
    let peripheral: VLDOCRPeripheral

    init(_ peripheral: VLDOCRPeripheral) {
      self.peripheral = peripheral
      super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    /// "Initialize VLDOCRController".
    func makeController() {
      self.controller = VLDOCRController(ocrPeripheral: peripheral)
      // Changed here and below: the guide uses the optional `controller` without unwrapping it.
      self.controller?.delegate = self
    }

    // Changed: the guide has this function twice, for the preview and for the overlay, and leaves out
    // that `super` is called and the layer added.
    override func viewDidLoad() {
      super.viewDidLoad()
      if let previewLayer: AVCaptureVideoPreviewLayer = controller?.previewLayer {
        previewView.layer.addSublayer(previewLayer)
      }
      overlayView.image = peripheral.overlayImage()
    }

    // Changed: twice in the guide, as above, and the call of `configure` is cut off.
    override func viewDidLayoutSubviews() {
      self.controller?.previewLayer?.frame = self.previewView.bounds
      self.controller?.configure(forPreviewLayerSize: self.previewView.bounds.size)
      self.overlayView.frame = self.controller?.overlayFrame ?? .zero
    }

    /// "Process results".
    func ocrController(
      _ ocrController: VLDOCRController, didProcessResult result: VLDOCRResult?
    ) {
      if let result = result {
        NSLog("Partial result \(result.resultString)")
        let resultImage = result.image
        // Changed: the guide leaves open what is done with the image.
        previewView.isHidden = resultImage == nil
      }
    }

    // Changed: the guide declares this function as Swift 2 did.
    func ocrController(
      _ ocrController: VLDOCRController, didCompleteReading record: VLDRecord?, image: UIImage?,
      forPeripheral peripheral: VLDOCRPeripheral?, metadata: [AnyHashable: Any]?
    ) {
      if peripheral?.type == VLDPeripheralType.glucoseMeter {
        if let diabetesRecord = record as? VLDDiabetes {
          let bloodGlucose: NSNumber? = diabetesRecord.bloodGlucose
          // Changed: the guide leaves open what is done with the value, and declares the view without
          // one.
          title = bloodGlucose?.stringValue
          let verificationImageView = UIImageView()
          verificationImageView.image = image
          view.addSubview(verificationImageView)
        }
      }
    }
  }

  /// "Alternate: Overlay in a CALayer".
  final class OverlayLayerScreen: UIViewController {
    var overlayLayer: CALayer?
    let controller: VLDOCRController
    let peripheral: VLDOCRPeripheral

    init(_ controller: VLDOCRController, _ peripheral: VLDOCRPeripheral) {
      self.controller = controller
      self.peripheral = peripheral
      super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    // Changed: the guide uses the optional `overlayLayer` without unwrapping it, and leaves out that
    // `super` is called and the layer added.
    override func viewDidLoad() {
      super.viewDidLoad()
      self.overlayLayer = CALayer()
      self.overlayLayer?.contents = peripheral.overlayImage()?.cgImage
      overlayLayer.map(view.layer.addSublayer)
    }

    override func viewDidLayoutSubviews() {
      self.overlayLayer?.frame = self.controller.overlayFrame
    }
  }
#endif

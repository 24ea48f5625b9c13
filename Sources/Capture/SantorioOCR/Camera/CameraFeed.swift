// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import AVFoundation
  import CoreImage
  import DigitReader
  import UIKit

  /// What the camera's queue tells of a frame.
  struct CameraOutcome: Sendable {
    let outcome: OCROutcome
    /// The display in the frame.
    let image: UIImage?
    /// The whole frame, and where the display is in it; of the last frame only.
    let preview: UIImage?
    let imageFrame: CGRect
  }

  /// The camera, and the recognizer that looks at its frames on a queue of its own.
  ///
  /// What changes is used on that queue only, so the class is safe to be passed on.
  final class CameraFeed: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
    @unchecked Sendable
  {
    let session = AVCaptureSession()
    let output = AVCaptureVideoDataOutput()
    private let queue = DispatchQueue(label: "org.santorio.ocr.camera", qos: .userInitiated)
    private let recognizer: OCRRecognizer
    private let context = CIContext()
    private let report: @MainActor @Sendable (CameraOutcome) -> Void
    private var region: CGRect?
    private var isDone = false

    init(
      _ recognizer: OCRRecognizer, report: @escaping @MainActor @Sendable (CameraOutcome) -> Void
    ) {
      (self.recognizer, self.report) = (recognizer, report)
      super.init()
    }

    /// Begins to take frames; nothing happens on a device without a camera.
    func start() {
      queue.async { [self] in
        configure()
        session.startRunning()
      }
    }

    /// Takes no more frames.
    func stop() {
      queue.async { [self] in session.stopRunning() }
    }

    /// Where the display is in the frames, in pixels.
    func look(at region: CGRect?) {
      queue.async { [self] in self.region = region }
    }

    private func configure() {
      session.beginConfiguration()
      defer { session.commitConfiguration() }
      if session.canSetSessionPreset(.hd1280x720) { session.sessionPreset = .hd1280x720 }
      guard
        let camera = AVCaptureDevice.default(
          .builtInWideAngleCamera, for: .video, position: .back),
        let input = try? AVCaptureDeviceInput(device: camera), session.canAddInput(input)
      else { return }
      session.addInput(input)
      focus(camera)
      output.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: Int(
          kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
      ]
      output.alwaysDiscardsLateVideoFrames = true
      output.setSampleBufferDelegate(self, queue: queue)
      guard session.canAddOutput(output) else { return }
      session.addOutput(output)
      if let connection = output.connection(with: .video), connection.isVideoOrientationSupported {
        connection.videoOrientation = .portrait
      }
    }

    /// Displays are near, and stay where they are.
    private func focus(_ camera: AVCaptureDevice) {
      guard (try? camera.lockForConfiguration()) != nil else { return }
      defer { camera.unlockForConfiguration() }
      if camera.isFocusModeSupported(.continuousAutoFocus) {
        camera.focusMode = .continuousAutoFocus
      }
      if camera.isAutoFocusRangeRestrictionSupported {
        camera.autoFocusRangeRestriction = .near
      }
    }

    func captureOutput(
      _ output: AVCaptureOutput, didOutput sample: CMSampleBuffer,
      from connection: AVCaptureConnection
    ) {
      guard !isDone, let buffer = CMSampleBufferGetImageBuffer(sample),
        let frame = GrayImage(luminanceOf: buffer)
      else { return }
      let stamp = CMSampleBufferGetPresentationTimeStamp(sample).seconds
      guard stamp.isFinite else { return }
      let time = Duration.seconds(stamp)
      let outcome = recognizer.process(frame, at: time, in: part(of: frame))
      let report = report
      let told = told(outcome, buffer, frame)
      if case .partial = outcome {} else { isDone = true }
      Task { @MainActor in report(told) }
    }

    private func part(of frame: GrayImage) -> PixelRegion? {
      guard let region else { return nil }
      // The display need not be where the overlay is to the pixel.
      let grown = region.insetBy(dx: -0.2 * region.width, dy: -0.2 * region.height)
        .intersection(CGRect(x: 0, y: 0, width: frame.width, height: frame.height))
      guard !grown.isEmpty, grown.width.isFinite, grown.height.isFinite else { return nil }
      return PixelRegion(
        x: Int(grown.minX), y: Int(grown.minY), width: Int(grown.width), height: Int(grown.height),
        in: frame)
    }

    private func told(
      _ outcome: OCROutcome, _ buffer: CVPixelBuffer, _ frame: GrayImage
    ) -> CameraOutcome {
      let (result, isComplete): (OCRResult, Bool) =
        switch outcome {
        case .partial(let result), .timedOut(_, let result): (result, false)
        case .complete(_, let result): (result, true)
        }
      let area = result.region.map {
        CGRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
      }
      let whole = CGRect(x: 0, y: 0, width: frame.width, height: frame.height)
      guard isComplete else {
        let image = area.flatMap { picture(buffer, $0) }
        return CameraOutcome(
          outcome: outcome, image: image, preview: nil, imageFrame: area ?? whole)
      }
      return CameraOutcome(
        outcome: outcome, image: picture(buffer, area ?? whole), preview: picture(buffer, whole),
        imageFrame: area ?? whole)
    }

    /// A part of a frame in colour.
    private func picture(_ buffer: CVPixelBuffer, _ area: CGRect) -> UIImage? {
      let image = CIImage(cvPixelBuffer: buffer)
      // Core Image counts rows from the bottom.
      let flipped = CGRect(
        x: area.minX, y: image.extent.height - area.maxY, width: area.width, height: area.height)
      return context.createCGImage(image, from: flipped).map { UIImage(cgImage: $0) }
    }
  }

  extension GrayImage {
    /// The brightness of a frame in one of the formats that begin with a plane of it.
    init?(luminanceOf buffer: CVPixelBuffer) {
      CVPixelBufferLockBaseAddress(buffer, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      guard CVPixelBufferGetPlaneCount(buffer) > 0,
        let base = unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 0)
      else { return nil }
      let (width, height) = (
        CVPixelBufferGetWidthOfPlane(buffer, 0), CVPixelBufferGetHeightOfPlane(buffer, 0)
      )
      let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, 0)
      guard width > 0, height > 0, stride >= width else { return nil }
      var pixels: [UInt8] = []
      pixels.reserveCapacity(width * height)
      for row in 0..<height {
        unsafe pixels.append(
          contentsOf: UnsafeRawBufferPointer(start: base + row * stride, count: width))
      }
      try? self.init(width: width, height: height, pixels: pixels)
    }
  }
#endif

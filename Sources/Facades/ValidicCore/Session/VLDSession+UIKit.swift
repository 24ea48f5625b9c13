// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  public import UIKit

  extension VLDSession {
    /// Stores a record and its image in the queue; they are on disk when this returns.
    ///
    /// The record is stored also where its image cannot be, see `submitRecord(_:imageData:)`.
    ///
    /// - Parameters:
    ///   - record: The record; nil is ignored.
    ///   - image: The image, which is sent as a JPEG; nil submits the record alone.
    @objc public func submitRecord(_ record: VLDRecord!, image: UIImage?) {
      guard let image else { return submitRecord(record) }
      guard let data = image.jpegData(compressionQuality: 0.9) else {
        FacadeLog.warn("an image without content was left out; its record is submitted")
        return submitRecord(record)
      }
      submitRecord(record, imageData: data)
    }
  }

  extension VLDAPIClient {
    /// Adds an image to a record that the server has, as a JPEG.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - record: The record, with its ``VLDRecord/recordID`` and ``VLDRecord/activityID``.
    ///   - completion: Gets the image's identifier and address, or an error.
    @objc public func uploadImage(
      _ image: UIImage!, forRecord record: VLDRecord!, completion: ImageResponse?
    ) {
      uploadImageData(
        image?.jpegData(compressionQuality: 0.9) ?? Data(), forRecord: record,
        completion: completion)
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0

// The constants of ValidicCore, ValidicBluetooth, ValidicHealthKit and ValidicOCR for Objective-C, to
// which Swift cannot give any. They have the values of those that Swift has.

#pragma once

#ifdef __OBJC__
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// The domain of errors of the session.
FOUNDATION_EXPORT NSString *const kVLDSessionErrorDomain NS_REFINED_FOR_SWIFT;
/// The domain of errors of VLDAPIClient.
FOUNDATION_EXPORT NSString *const kVLDAPIErrorDomain NS_REFINED_FOR_SWIFT;
/// The key of the value in the dictionaries of VLDMeasurement.
FOUNDATION_EXPORT NSString *const kVLDRawDataValueKey NS_REFINED_FOR_SWIFT;
/// The key of the unit in the dictionaries of VLDMeasurement.
FOUNDATION_EXPORT NSString *const kVLDRawDataUnitKey NS_REFINED_FOR_SWIFT;
/// The domain of errors of pairing and reading.
FOUNDATION_EXPORT NSString *const kVLDBluetoothErrorDomain NS_REFINED_FOR_SWIFT;
/// The key under which a device's encryption key is stored.
FOUNDATION_EXPORT NSString *const kVLDBluetoothPeripheralDataKeyEncryptionKey NS_REFINED_FOR_SWIFT;
/// The domain of errors of HealthKit.
FOUNDATION_EXPORT NSString *const kVLDHealthKitErrorDomain NS_REFINED_FOR_SWIFT;
/// The whole last frame, a UIImage, in the metadata of a reading.
FOUNDATION_EXPORT NSString *const kVLDOCRMetadataFinalPreviewKey NS_REFINED_FOR_SWIFT;
/// Where the display is in the last frame, an NSValue with a CGRect in pixels.
FOUNDATION_EXPORT NSString *const kVLDOCRMetadataImageFrameKey NS_REFINED_FOR_SWIFT;
/// A session has ended.
FOUNDATION_EXPORT NSNotificationName const kVLDSessionEndedNotification NS_REFINED_FOR_SWIFT;
/// The server has stored a record.
FOUNDATION_EXPORT NSNotificationName const kVLDRecordSubmittedNotification NS_REFINED_FOR_SWIFT;
/// A record will not be sent.
FOUNDATION_EXPORT NSNotificationName const kVLDRecordSubmissionFailedNotification NS_REFINED_FOR_SWIFT;
/// The server has stored an image.
FOUNDATION_EXPORT NSNotificationName const kVLDRecordImageSubmittedNotification NS_REFINED_FOR_SWIFT;
/// An image will not be sent.
FOUNDATION_EXPORT NSNotificationName const kVLDRecordImageSubmissionFailedNotification NS_REFINED_FOR_SWIFT;
/// A device was read passively.
FOUNDATION_EXPORT NSNotificationName const kVLDBluetoothPassiveDidReadNotification NS_REFINED_FOR_SWIFT;
/// A device that appeared could not be read.
FOUNDATION_EXPORT NSNotificationName const kVLDBluetoothPassiveDidFailNotification NS_REFINED_FOR_SWIFT;
/// A device is ready to take a measurement.
FOUNDATION_EXPORT NSNotificationName const kVLDBluetoothPassiveIsReadyToReadNotification NS_REFINED_FOR_SWIFT;
/// Records were made of samples.
FOUNDATION_EXPORT NSNotificationName const kVLDHealthKitRecordsProcessedNotification NS_REFINED_FOR_SWIFT;

NS_ASSUME_NONNULL_END
#endif

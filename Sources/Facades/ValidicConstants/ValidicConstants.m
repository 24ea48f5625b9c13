// SPDX-License-Identifier: Apache-2.0

#import "ValidicConstants.h"

#ifdef __OBJC__
NSString *const kVLDSessionErrorDomain = @"VLDSessionErrorDomain";
NSString *const kVLDAPIErrorDomain = @"VLDAPIErrorDomain";
NSString *const kVLDRawDataValueKey = @"value";
NSString *const kVLDRawDataUnitKey = @"unit";
NSString *const kVLDBluetoothErrorDomain = @"VLDBluetoothErrorDomain";
NSString *const kVLDBluetoothPeripheralDataKeyEncryptionKey = @"encryptionKey";
NSString *const kVLDHealthKitErrorDomain = @"VLDHealthKitErrorDomain";
NSString *const kVLDOCRMetadataFinalPreviewKey = @"kVLDOCRMetadataFinalPreviewKey";
NSString *const kVLDOCRMetadataImageFrameKey = @"kVLDOCRMetadataImageFrameKey";
NSNotificationName const kVLDSessionEndedNotification = @"kVLDSessionEndedNotification";
NSNotificationName const kVLDRecordSubmittedNotification = @"kVLDRecordSubmittedNotification";
NSNotificationName const kVLDRecordSubmissionFailedNotification = @"kVLDRecordSubmissionFailedNotification";
NSNotificationName const kVLDRecordImageSubmittedNotification = @"kVLDRecordImageSubmittedNotification";
NSNotificationName const kVLDRecordImageSubmissionFailedNotification = @"kVLDRecordImageSubmissionFailedNotification";
NSNotificationName const kVLDBluetoothPassiveDidReadNotification = @"kVLDBluetoothPassiveDidReadNotification";
NSNotificationName const kVLDBluetoothPassiveDidFailNotification = @"kVLDBluetoothPassiveDidFailNotification";
NSNotificationName const kVLDBluetoothPassiveIsReadyToReadNotification = @"kVLDBluetoothPassiveIsReadyToReadNotification";
NSNotificationName const kVLDHealthKitRecordsProcessedNotification = @"kVLDHealthKitRecordsProcessedNotification";
#endif

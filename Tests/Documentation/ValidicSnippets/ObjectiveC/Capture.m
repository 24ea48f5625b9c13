// SPDX-License-Identifier: Apache-2.0

// The selectors, enumerations and constants of ValidicBluetooth, ValidicHealthKit and ValidicOCR.

@import AVFoundation;
@import HealthKit;
@import UIKit;
@import ValidicBluetooth;
@import ValidicCore;
@import ValidicHealthKit;
@import ValidicOCR;
#import <ValidicConstants.h>

_Static_assert(VLDBluetoothErrorCodeCommunicationFailure == 0 && VLDBluetoothErrorCodeConnectionFailure == 1 && VLDBluetoothErrorCodePairingFailure == 2 && VLDBluetoothErrorCodeBluetoothTurnedOff == 3, "VLDBluetoothErrorCode");
_Static_assert(VLDBluetoothErrorCodeNoReading == 4 && VLDBluetoothErrorCodeNoUser == 5 && VLDBluetoothErrorCodeConnectionTimeout == 6 && VLDBluetoothErrorCodeReadingTimeout == 7, "VLDBluetoothErrorCode");
_Static_assert(VLDHealthKitSubscriptionSetRoutine == 0 && VLDHealthKitSubscriptionSetDiabetes == 1 && VLDHealthKitSubscriptionSetWeight == 2 && VLDHealthKitSubscriptionSetFitness == 3, "VLDHealthKitSubscriptionSet");
_Static_assert(VLDHealthKitSubscriptionSetSleep == 4 && VLDHealthKitSubscriptionSetBasicNutrition == 5 && VLDHealthKitSubscriptionSetReproductiveHealth == 6 && VLDHealthKitSubscriptionSetBiometrics == 7, "VLDHealthKitSubscriptionSet");
_Static_assert(VLDHealthKitHistoricalSetRoutine == 0 && VLDHealthKitHistoricalSetFitness == 1 && VLDHealthKitHistoricalSetIntraday == 2, "VLDHealthKitHistoricalSet");

void UseBluetooth(id<VLDBluetoothPeripheralControllerDelegate> delegate) {
    VLDBluetoothPeripheral *peripheral = [VLDBluetoothPeripheral peripheralForID:1];
    NSLog(@"%d %@ %@", peripheral.requiresPairing, peripheral.instructions, peripheral.readingInstructions);
    NSLog(@"%@ %@", peripheral.pairingInstructions, peripheral.version);
    for (VLDBluetoothPeripheral *other in [VLDBluetoothPeripheral supportedPeripherals]) {
        NSLog(@"%@", other.name);
    }
    [peripheral storeData:@"00" forKey:kVLDBluetoothPeripheralDataKeyEncryptionKey ofPeripheralUUID:@"00"];
    VLDBluetoothPeripheralController *controller = [[VLDBluetoothPeripheralController alloc] init];
    controller.delegate = delegate;
    BOOL isPairing = [controller pairPeripheral:peripheral];
    BOOL isReading = [controller readFromPeripheral:peripheral];
    NSLog(@"%d %d %d", isPairing, isReading, controller.operationInProgress);
    [controller cancel];
}

BOOL IsOfBluetooth(NSError *error) {
    return [error.domain isEqualToString:kVLDBluetoothErrorDomain];
}

void UsePassiveReading(id observer, SEL selector) {
    VLDBluetoothPassiveManager *manager = [VLDBluetoothPassiveManager sharedInstance];
    manager.peripheralIDs = @[@1, @2];
    [manager setPeripherals:@[]];
    manager.peripheralIDs = nil;
    [manager restoreState];
    for (NSNotificationName name in @[
        kVLDBluetoothPassiveDidReadNotification, kVLDBluetoothPassiveDidFailNotification,
        kVLDBluetoothPassiveIsReadyToReadNotification, kVLDHealthKitRecordsProcessedNotification
    ]) {
        [[NSNotificationCenter defaultCenter] addObserver:observer selector:selector name:name object:nil];
    }
}

void UseHealthKit(NSDateComponents *first, NSDateComponents *last) {
    VLDHealthKitManager *manager = [VLDHealthKitManager sharedInstance];
    NSArray<HKSampleType *> *types = [VLDHealthKitSubscription sampleTypesForSubscriptionSet:VLDHealthKitSubscriptionSetRoutine];
    [manager setSubscriptions:types completion:nil];
    [manager setSubscriptionsFromIdentifiers:@[HKQuantityTypeIdentifierStepCount] completion:^{}];
    NSLog(@"%@", [manager subscriptions]);
    manager.processIntraday = YES;
    [manager observeCurrentSubscriptions];
    [manager fetchLatestData];
    [manager fetchHistoricalSets:@[@(VLDHealthKitHistoricalSetRoutine)] from:first to:last completion:^(NSDictionary *results, NSError *error) {
        NSLog(@"%@ %d", results, [error.domain isEqualToString:kVLDHealthKitErrorDomain]);
    }];
    [manager fetchHistoricalSets:@[@(VLDHealthKitHistoricalSetFitness)] completion:^(NSDictionary *results, NSError *error) {
        NSLog(@"%@ %@", results, error);
    }];
    NSLog(@"%lu", (unsigned long)[VLDHealthKitSubscription recordTypeForSampleType:types.firstObject]);
    NSLog(@"%@", [VLDHealthKitSubscription unitForQuantityTypeIdentifier:HKQuantityTypeIdentifierStepCount]);
    NSLog(@"%@", [VLDHealthKitSubscription workoutActivityForType:HKWorkoutActivityTypeRunning]);
}

void UseOCR(id<VLDOCRControllerDelegate> delegate, VLDOCRResult *result, NSDictionary *metadata) {
    VLDOCRPeripheral *peripheral = [VLDOCRPeripheral peripheralForID:3];
    UIImage *overlay = [peripheral overlayImage];
    VLDOCRController *controller = [[VLDOCRController alloc] initWithOCRPeripheral:peripheral];
    controller.delegate = delegate;
    AVCaptureVideoPreviewLayer *layer = controller.previewLayer;
    [controller configureForPreviewLayerSize:layer.bounds.size];
    NSLog(@"%@ %f", overlay, controller.overlayFrame.size.width);
    controller = [[VLDOCRController alloc] initWithOCRPeripheral:peripheral glucoseUnit:VLDGlucoseUnitMMOLL];
    controller = [[VLDOCRController alloc] initWithOCRPeripheral:peripheral temperatureUnit:VLDTemperatureUnitCelsius];
    NSLog(@"%@ %@ %@", result.resultString, result.image, result.glare);
    NSLog(@"%@ %@", metadata[kVLDOCRMetadataFinalPreviewKey], metadata[kVLDOCRMetadataImageFrameKey]);
}

VLDOCRViewController *MakeOCRScreen(id<VLDOCRViewControllerDelegate> delegate) {
    VLDOCRViewController *screen = [[VLDOCRViewController alloc] initWithOCRPeripheralID:3];
    screen = [[VLDOCRViewController alloc] initWithOCRPeripheralID:3 temperatureUnit:VLDTemperatureUnitCelsius];
    screen = [[VLDOCRViewController alloc] initWithOCRPeripheralID:9 glucoseUnit:VLDGlucoseUnitMMOLL];
    screen.delegate = delegate;
    return screen;
}

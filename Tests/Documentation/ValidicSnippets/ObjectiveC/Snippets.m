// SPDX-License-Identifier: Apache-2.0

// The Objective-C code of Validic's guide "iOS Native SDK", once each. Scripts/check-objective-c
// compiles it.

// "Bridging with Swift".
// Changed: the guide imports <ValidicCore/ValidicCore.h> and the like; a package gives modules, and
// Swift needs no bridging header for them.
@import ValidicCore;
@import ValidicBluetooth;
@import ValidicOCR;
@import ValidicHealthKit;

/// "To enable logging, use VLDLogging".
void EnableLogging(void) {
    [[VLDLogging sharedInstance] setIsEnabled:YES];
    [[VLDLogging sharedInstance] setLog: VLDLogBluetooth | VLDLogCore | VLDLogOCR | VLDLogHealthKit];
    [[VLDLogging sharedInstance] setLogger:^(NSString *sdkTag, NSString *message) {
        // Changed: the body and the end are cut off in the guide.
        NSLog(@"%@: %@", sdkTag, message);
    }];
}

/// "Retrieve data continuously", the note.
void EndSession(void) {
    // Changed: the guide has `[[VLDSession] sharedInstance]`.
    [[VLDSession sharedInstance] endSession];
}

/// "Retrieve data continuously".
void ObserveSubscriptions(void) {
    // Changed: the guide leaves out `sharedInstance`.
    [[VLDHealthKitManager sharedInstance] observeCurrentSubscriptions];
}

/// "Subscribe to Intraday steps".
void ProcessIntraday(void) {
    [VLDHealthKitManager sharedInstance].processIntraday = YES;
}

/// "Subscription sets".
NSArray<HKSampleType *> *RoutineTypes(void) {
    return [VLDHealthKitSubscription sampleTypesForSubscriptionSet:VLDHealthKitSubscriptionSetRoutine];
}

/// "OCR Peripherals".
NSUInteger CountOCRPeripherals(void) {
    VLDOCRPeripheral *peripheral = [VLDOCRPeripheral peripheralForID:1];
    // Changed: the guide gives two variables the same name.
    NSArray *peripheralsOfType = [VLDOCRPeripheral peripheralsOfType: VLDPeripheralTypeGlucoseMeter];
    NSArray *peripherals = [VLDOCRPeripheral supportedPeripherals];
    return (peripheral == nil ? 0 : 1) + peripheralsOfType.count + peripherals.count;
}

// SPDX-License-Identifier: Apache-2.0

// All methods of all delegates, implemented and called. That they are called through the protocols
// shows that these have them: an optional method of another name would be implemented in vain.

@import UIKit;
@import ValidicBluetooth;
@import ValidicCore;
@import ValidicOCR;

@interface Listener : NSObject <VLDBluetoothPeripheralControllerDelegate, VLDOCRControllerDelegate, VLDOCRViewControllerDelegate>
@end

@implementation Listener

- (void)bluetoothPeripheralController:(VLDBluetoothPeripheralController *)controller didPairPeripheral:(VLDBluetoothPeripheral *)peripheral {
}

- (void)bluetoothPeripheralController:(VLDBluetoothPeripheralController *)controller didPairPeripheral:(VLDBluetoothPeripheral *)peripheral metadata:(VLDBluetoothOperationMetadata *)metadata {
}

- (void)bluetoothPeripheralController:(VLDBluetoothPeripheralController *)controller didNotPairPeripheral:(VLDBluetoothPeripheral *)peripheral error:(NSError *)error {
}

- (void)bluetoothPeripheralController:(VLDBluetoothPeripheralController *)controller isReadyToReadFromPeripheral:(VLDBluetoothPeripheral *)peripheral {
}

- (BOOL)bluetoothPeripheralController:(VLDBluetoothPeripheralController *)controller shouldSubmitReadings:(NSArray<VLDRecord *> *)records fromPeripheral:(VLDBluetoothPeripheral *)peripheral {
    return YES;
}

- (void)bluetoothPeripheralController:(VLDBluetoothPeripheralController *)controller didCancelReadingForPeripheral:(VLDBluetoothPeripheral *)peripheral {
}

- (void)bluetoothPeripheralController:(VLDBluetoothPeripheralController *)controller readingFailedForPeripheral:(VLDBluetoothPeripheral *)peripheral error:(NSError *)error {
}

- (void)ocrController:(VLDOCRController *)ocrController didProcessResult:(VLDOCRResult *)result {
}

- (void)ocrController:(VLDOCRController *)ocrController didCompleteReading:(VLDRecord *)record image:(UIImage *)image forPeripheral:(VLDOCRPeripheral *)peripheral metadata:(NSDictionary *)metadata {
}

- (void)ocrViewControllerDidCancel:(VLDOCRViewController *)viewController {
}

- (void)ocrViewControllerWasDeniedCameraAuthorization:(VLDOCRViewController *)viewController {
}

- (void)ocrViewController:(VLDOCRViewController *)viewController didCompleteReading:(VLDRecord *)record image:(UIImage *)image metadata:(NSDictionary *)metadata {
}

@end

BOOL CallBluetooth(id<VLDBluetoothPeripheralControllerDelegate> delegate, VLDBluetoothPeripheralController *controller, VLDBluetoothPeripheral *peripheral, VLDBluetoothOperationMetadata *metadata, NSError *error) {
    [delegate bluetoothPeripheralController:controller didPairPeripheral:peripheral];
    [delegate bluetoothPeripheralController:controller didPairPeripheral:peripheral metadata:metadata];
    [delegate bluetoothPeripheralController:controller didNotPairPeripheral:peripheral error:error];
    [delegate bluetoothPeripheralController:controller isReadyToReadFromPeripheral:peripheral];
    [delegate bluetoothPeripheralController:controller didCancelReadingForPeripheral:peripheral];
    [delegate bluetoothPeripheralController:controller readingFailedForPeripheral:peripheral error:error];
    return [delegate bluetoothPeripheralController:controller shouldSubmitReadings:@[] fromPeripheral:peripheral];
}

void CallOCR(id<VLDOCRControllerDelegate> delegate, VLDOCRController *controller, VLDOCRResult *result, VLDRecord *record, UIImage *image, VLDOCRPeripheral *peripheral) {
    [delegate ocrController:controller didProcessResult:result];
    [delegate ocrController:controller didCompleteReading:record image:image forPeripheral:peripheral metadata:@{}];
}

void CallOCRScreen(id<VLDOCRViewControllerDelegate> delegate, VLDOCRViewController *viewController, VLDRecord *record, UIImage *image) {
    [delegate ocrViewControllerDidCancel:viewController];
    [delegate ocrViewControllerWasDeniedCameraAuthorization:viewController];
    [delegate ocrViewController:viewController didCompleteReading:record image:image metadata:@{}];
}

// SPDX-License-Identifier: Apache-2.0

// The selectors, enumerations and constants of ValidicCore.

@import UIKit;
@import ValidicCore;
#import <ValidicConstants.h>

_Static_assert(VLDLogBluetooth == 1 && VLDLogHealthKit == 2 && VLDLogOCR == 4 && VLDLogCore == 8, "VLDLog");
_Static_assert(VLDRecordTypeNone == 0 && VLDRecordTypeBiometrics == 1 && VLDRecordTypeDiabetes == 2 && VLDRecordTypeWeight == 3, "VLDRecordType");
_Static_assert(VLDRecordTypeRoutine == 4 && VLDRecordTypeNutrition == 5 && VLDRecordTypeFitness == 6 && VLDRecordTypeSleep == 7 && VLDRecordTypeIntraDaySteps == 8, "VLDRecordType");
_Static_assert(VLDTemperatureUnitCelsius == 0 && VLDTemperatureUnitFahrenheit == 1, "VLDTemperatureUnit");
_Static_assert(VLDWeightUnitKilograms == 0 && VLDWeightUnitPounds == 1 && VLDWeightUnitStones == 2, "VLDWeightUnit");
_Static_assert(VLDGlucoseUnitMGDL == 0 && VLDGlucoseUnitMMOLL == 1, "VLDGlucoseUnit");
_Static_assert(VLDDiabetesMealRelationshipNone == 0 && VLDDiabetesMealRelationshipBefore == 1 && VLDDiabetesMealRelationshipAfter == 2 && VLDDiabetesMealRelationshipRandom == 3 && VLDDiabetesMealRelationshipFasting == 4, "VLDDiabetesMealRelationship");
_Static_assert(VLDDiabetesEventNoEvent == 0 && VLDDiabetesEventExercise == 3 && VLDDiabetesEventSick == 4 && VLDDiabetesEventMedication == 5 && VLDDiabetesEventOther == 6, "VLDDiabetesEvent");
_Static_assert(VLDDiabetesOutOfRangeInRange == 0 && VLDDiabetesOutOfRangeHigh == 1 && VLDDiabetesOutOfRangeLow == 2, "VLDDiabetesOutOfRange");
_Static_assert(VLDPeripheralTypeNone == 0 && VLDPeripheralTypeThermometer == 1 && VLDPeripheralTypeBloodPressure == 2 && VLDPeripheralTypeHeartRate == 3 && VLDPeripheralTypeGlucoseMeter == 4 && VLDPeripheralTypeWeightScale == 5 && VLDPeripheralTypePulseOximeter == 6, "VLDPeripheralType");
_Static_assert(VLDAPIErrorCodeInvalidRecords == 0 && VLDAPIErrorCodeInvalidRecordType == 1 && VLDAPIErrorCodeMissingRecordID == 2 && VLDAPIErrorCodeMissingActivityID == 3 && VLDAPIErrorCodeMissingRecord == 4 && VLDAPIErrorCodeMismatchedRecordTypes == 5, "VLDAPIErrorCode");

void UseSession(VLDRecord *record, UIImage *image) {
    VLDUser *user = [[VLDUser alloc] initWithValidicUserID:@"user_id" organizationID:@"organization_id" accessToken:@"access_token"];
    user = [[VLDUser alloc] initWithValidicUserID:user.validicUserID organizationID:user.organizationID accessToken:user.accessToken marketplaceToken:user.marketplaceToken];
    VLDSession *session = [VLDSession sharedInstance];
    [session startSessionWithUser:user];
    [session startSessionWithUser:[VLDUser defaultUser]];
    NSLog(@"%@ %@", [VLDSession libraryVersion], session.user);
    [session submitRecord:record];
    [session submitRecord:record image:image];
    [session submitRecords:@[record]];
    [session processQueue];
    [session endSession];
}

void ObserveSession(id observer, SEL selector) {
    for (NSNotificationName name in @[
        kVLDSessionEndedNotification, kVLDRecordSubmittedNotification,
        kVLDRecordSubmissionFailedNotification, kVLDRecordImageSubmittedNotification,
        kVLDRecordImageSubmissionFailedNotification
    ]) {
        [[NSNotificationCenter defaultCenter] addObserver:observer selector:selector name:name object:nil];
    }
}

BOOL IsOfTheSession(NSError *error) {
    return [error.domain isEqualToString:kVLDSessionErrorDomain] || [error.domain isEqualToString:kVLDAPIErrorDomain];
}

void UseClient(VLDUser *user, VLDRecord *record, UIImage *image) {
    VLDAPIClient *client = [[VLDAPIClient alloc] initWithUser:user];
    [client postRecord:record completion:^(VLDRecord *stored, NSError *error) { NSLog(@"%@ %@", stored, error); }];
    [client postMultipleRecords:@[record] completion:^(NSArray *stored, NSError *error) { NSLog(@"%@ %@", stored, error.userInfo[@"errorRecords"]); }];
    [client updateRecord:record completion:^(VLDRecord *stored, NSError *error) { NSLog(@"%@ %@", stored, error); }];
    [client upsertRecord:record completion:^(VLDRecord *stored, NSError *error) { NSLog(@"%@ %@", stored, error); }];
    [client deleteRecord:record completion:^(VLDServerResponse *response, NSError *error) {
        NSLog(@"%@ %@ %@ %@ %@", response.code, response.message, response.errors, response.activityID, error);
    }];
    [client uploadImage:image forRecord:record completion:^(VLDMedia *media, NSError *error) {
        NSLog(@"%@ %@ %@ %@", media.mediaID, media.mediaURL, [media authenticatedURL], error);
    }];
}

void UseLogging(void) {
    VLDLogging *logging = [VLDLogging sharedInstance];
    logging.log = VLDLogCore;
    [logging setLogger:[logging getLogger]];
    NSLog(@"%d %lu", logging.isEnabled, (unsigned long)logging.log);
}

VLDMeasurement *UseModels(VLDModel<NSSecureCoding> *model) {
    VLDMeasurement *measurement = [[VLDMeasurement alloc] initWithValue:@"1" unit:@"kg"];
    NSDictionary *dictionary = [measurement dictionaryRepresentation];
    NSLog(@"%@ %@ %@", dictionary[kVLDRawDataValueKey], dictionary[kVLDRawDataUnitKey], measurement.decimalValue);
    NSLog(@"%@ %@ %@", measurement.value, measurement.unit, [model copy]);
    return [[VLDMeasurement alloc] initWithDictionary:dictionary];
}

void UseRecord(VLDRecord *record, VLDPeripheral *peripheral, VLDMedia *media) {
    record.timestamp = [NSDate date];
    record.utcOffset = @"+01:00";
    record.lastUpdated = [NSDate date];
    record.validated = @YES;
    record.recordID = @"1";
    record.activityID = @"2";
    record.comment = @"3";
    NSLog(@"%@ %@ %@ %@ %@", record.source, record.sourceName, record.originalSource, record.intermediarySource, record.sourcePeripheral);
    NSLog(@"%@ %@ %@", record.extras, record.media, [record peripheral]);
    [record setExtraValue:@1 forKey:@"extra"];
    [record addMedia:media];
    NSLog(@"%@ %@", [VLDRecord newRecordFromPeripheral:peripheral], [VLDRecord newRecordWithType:VLDRecordTypeWeight]);
    NSLog(@"%@", [VLDRecord nameForRecordType:[record recordType]]);
    NSLog(@"%@", [VLDRecord convertWeightValue:@1 fromUnit:VLDWeightUnitKilograms toUnit:VLDWeightUnitPounds]);
    NSLog(@"%@", [VLDRecord convertTemperatureValue:@1 fromUnit:VLDTemperatureUnitCelsius toUnit:VLDTemperatureUnitFahrenheit]);
    NSLog(@"%@", [VLDRecord convertGlucoseValue:@1 fromUnit:VLDGlucoseUnitMGDL toUnit:VLDGlucoseUnitMMOLL]);
    NSLog(@"%@", [VLDRecord unitStringForGlucoseUnit:VLDGlucoseUnitMGDL]);
    NSLog(@"%@", [VLDRecord unitStringForWeightUnit:VLDWeightUnitStones]);
    NSLog(@"%@", [VLDRecord unitStringForTemperatureUnit:VLDTemperatureUnitCelsius]);
}

void UseBiometrics(VLDBiometrics *record) {
    record.bloodCalcium = record.bloodChromium = record.bloodFolicAcid = record.bloodMagnesium = record.bloodPotassium = @1;
    record.bloodSodium = record.bloodVitaminB12 = record.bloodZinc = record.creatineKinase = record.crp = @1;
    record.diastolic = record.ferritin = record.hdl = record.hscrp = record.il6 = record.ldl = record.restingHeartrate = @1;
    record.systolic = record.testosterone = record.totalCholesterol = record.tsh = record.uricAcid = record.vitaminD = @1;
    record.whiteCellCount = record.spo2 = record.temperature = @1;
    [record setTemperature:@99 withUnit:VLDTemperatureUnitFahrenheit];
    NSLog(@"%@", [record temperatureWithUnit:VLDTemperatureUnitFahrenheit]);
    NSLog(@"%@ %@ %@ %@", [record minHeartRate], [record maxHeartRate], [record averageHeartRate], [record medianHeartRate]);
}

void UseDiabetes(VLDDiabetes *record) {
    record.cPeptide = record.fastingPlasmaGlucoseTest = record.hba1c = record.insulin = record.oralGlucoseToleranceTest = @1;
    record.randomPlasmaGlucoseTest = record.triglyceride = record.bloodGlucose = @1;
    record.relationshipToMeal = VLDDiabetesMealRelationshipFasting;
    [record setDiabetesEvent:VLDDiabetesEventSick];
    [record setOutOfRange:VLDDiabetesOutOfRangeHigh];
    [record setBloodGlucose:@5 withUnit:VLDGlucoseUnitMMOLL];
    NSLog(@"%lu %lu %@", (unsigned long)[record diabetesEvent], (unsigned long)[record outOfRange], [record bloodGlucoseWithUnit:VLDGlucoseUnitMMOLL]);
    NSLog(@"%@", [VLDDiabetes nameForMealRelationship:record.relationshipToMeal]);
}

void UseOtherRecords(VLDFitness *fitness, VLDNutrition *nutrition, VLDRoutine *routine, VLDSleep *sleep, VLDWeight *weight) {
    fitness.type = fitness.intensity = @"high";
    fitness.startTime = [NSDate date];
    fitness.distance = fitness.duration = fitness.calories = @1;
    nutrition.calories = nutrition.carbohydrates = nutrition.fat = nutrition.fiber = nutrition.protein = nutrition.sodium = nutrition.water = @1;
    nutrition.meal = @"Lunch";
    routine.steps = routine.distance = routine.floors = routine.elevation = routine.caloriesBurned = routine.activeDuration = @1;
    sleep.totalSleep = sleep.awake = sleep.deep = sleep.light = sleep.rem = sleep.timesWoken = @1;
    weight.weight = weight.height = weight.freeMass = weight.fatPercent = weight.massWeight = weight.bmi = @1;
    [weight setWeight:@1 withUnit:VLDWeightUnitPounds];
    NSLog(@"%@", [weight weightWithUnit:VLDWeightUnitPounds]);
}

void UseIntraDay(VLDIntraDay *record) {
    [record addValue:1 withStartDate:record.start withEndDate:record.end];
    NSLog(@"%@ %@ %@ %@ %@ %@", record.deviceSource, record.entries, record.type, record.unit, record.model, record.manufacturer);
}

void UsePeripheral(VLDPeripheral *peripheral) {
    NSLog(@"%lu %lu %d", (unsigned long)peripheral.peripheralID, (unsigned long)peripheral.type, peripheral.disabled);
    NSLog(@"%@ %@ %@ %@", peripheral.model, peripheral.manufacturer, peripheral.imageURL, [peripheral name]);
    NSLog(@"%@ %@ %@", [VLDPeripheral connectionType], [VLDPeripheral nameForType:peripheral.type], [peripheral record]);
    NSLog(@"%@ %@", [VLDPeripheral supportedPeripherals], [VLDPeripheral peripheralsOfType:VLDPeripheralTypeThermometer]);
}

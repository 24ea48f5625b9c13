// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Testing

/// Each list is in the order of the specification's table, so that a number that moved shows.
@Suite struct `Codes of the specifications` {
  @Test func `Body Sensor Location (GSS, 0 to 6)`() {
    let locations: [BodySensorLocation] = [
      .other, .chest, .wrist, .finger, .hand, .earLobe, .foot,
    ]

    #expect(locations.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test func `Temperature Type (GSS, 1 to 9)`() {
    let types: [TemperatureType] = [
      .armpit, .body, .ear, .finger, .gastroIntestinalTract, .mouth, .rectum, .toe, .tympanum,
    ]

    #expect(types.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
  }

  @Test func `Type and Sample Location of a glucose measurement (GSS)`() {
    let fluids: [GlucoseSample.Fluid] = [
      .capillaryWholeBlood, .capillaryPlasma, .venousWholeBlood, .venousPlasma,
      .arterialWholeBlood, .arterialPlasma, .undeterminedWholeBlood, .undeterminedPlasma,
      .interstitialFluid, .controlSolution,
    ]
    let locations: [GlucoseSample.Location] = [
      .finger, .alternateSite, .earlobe, .controlSolution, .notAvailable,
    ]

    #expect(fluids.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    #expect(locations.map(\.rawValue) == [1, 2, 3, 4, 15])
  }

  @Test func `Carbohydrate ID, Meal and Medication ID of a glucose context (GSS)`() {
    let occasions: [GlucoseMeasurementContext.Carbohydrate.Occasion] = [
      .breakfast, .lunch, .dinner, .snack, .drink, .supper, .brunch,
    ]
    let meals: [GlucoseMeasurementContext.Meal] = [
      .preprandial, .postprandial, .fasting, .casual, .bedtime,
    ]
    let medications: [GlucoseMeasurementContext.Medication.Kind] = [
      .rapidActingInsulin, .shortActingInsulin, .intermediateActingInsulin, .longActingInsulin,
      .preMixedInsulin,
    ]

    #expect(occasions.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7])
    #expect(meals.map(\.rawValue) == [1, 2, 3, 4, 5])
    #expect(medications.map(\.rawValue) == [1, 2, 3, 4, 5])
  }

  @Test func `Tester and Health of a glucose context (GSS)`() {
    let testers: [GlucoseMeasurementContext.Tester] = [
      .patient, .healthCareProfessional, .laboratory, .notAvailable,
    ]
    let healths: [GlucoseMeasurementContext.Health] = [
      .minorIssues, .majorIssues, .duringMenses, .underStress, .noIssues, .notAvailable,
    ]

    #expect(testers.map(\.rawValue) == [1, 2, 3, 15])
    #expect(healths.map(\.rawValue) == [1, 2, 3, 4, 5, 15])
  }

  @Test func `Record Access Control Point (GSS)`() {
    let opCodes: [RecordAccessControlPoint.OpCode] = [
      .reportStoredRecords, .deleteStoredRecords, .abortOperation, .reportNumberOfStoredRecords,
      .numberOfStoredRecordsResponse, .responseCode, .combinedReport, .combinedReportResponse,
    ]
    let operators: [RecordAccessControlPoint.Operator] = [
      .null, .allRecords, .lessThanOrEqualTo, .greaterThanOrEqualTo, .withinRangeOf,
      .firstRecord, .lastRecord,
    ]
    let responses: [RecordAccessControlPoint.ResponseCode] = [
      .success, .opCodeNotSupported, .invalidOperator, .operatorNotSupported, .invalidOperand,
      .noRecordsFound, .abortUnsuccessful, .procedureNotCompleted, .operandNotSupported,
      .serverBusy,
    ]

    #expect(opCodes.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(operators.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    #expect(responses.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  }

  @Test func `Sample Location of a continuous glucose monitor (GSS)`() {
    #expect(GlucoseSample.Location.subcutaneousTissue.rawValue == 5)
  }

  @Test func `CGM Specific Ops Control Point (GSS)`() {
    typealias ControlPoint = CGMSpecificOpsControlPoint
    let calibration = CGMCalibration(concentration: .notANumber, time: 0)
    let alerts = ControlPoint.AlertLevel.allCases.flatMap { level in
      [
        ControlPoint.Operation.setAlertLevel(level, .notANumber), .getAlertLevel(level),
        .alertLevel(level, .notANumber),
      ]
    }
    let operations: [ControlPoint.Operation] =
      [
        .setCommunicationInterval(minutes: 0), .getCommunicationInterval,
        .communicationInterval(minutes: 0), .setCalibration(calibration),
        .getCalibration(recordNumber: 0), .calibration(calibration),
      ] + alerts + [
        .resetDeviceSpecificAlert, .startSession, .stopSession,
        .response(to: .startSession, .success),
      ]
    let levels: [ControlPoint.AlertLevel] = [
      .patientHigh, .patientLow, .hypo, .hyper, .rateOfDecrease, .rateOfIncrease,
    ]
    let opCodes: [ControlPoint.OpCode] = [
      .setCommunicationInterval, .getCommunicationInterval, .communicationIntervalResponse,
      .setCalibration, .getCalibration, .calibrationResponse,
    ]
    let lastOpCodes: [ControlPoint.OpCode] = [
      .resetDeviceSpecificAlert, .startSession, .stopSession, .responseCode,
    ]
    let responses: [ControlPoint.ResponseCode] = [
      .success, .opCodeNotSupported, .invalidOperand, .procedureNotCompleted,
      .parameterOutOfRange,
    ]

    #expect(operations.map { ControlPoint($0).payload.first } == Array(0x01...0x1C))
    #expect(ControlPoint.AlertLevel.allCases == levels)
    #expect(opCodes.map(\.rawValue) == [1, 2, 3, 4, 5, 6])
    #expect(lastOpCodes.map(\.rawValue) == [0x19, 0x1A, 0x1B, 0x1C])
    #expect(responses.map(\.rawValue) == [1, 2, 3, 4, 5])
    #expect(CGMCalibration.last == 0xFFFF)
  }

  @Test func `User Control Point (GSS)`() {
    let opCodes: [UserControlPoint.OpCode] = [
      .registerNewUser, .consent, .deleteUserData, .listAllUsers, .deleteUsers, .responseCode,
    ]
    let responses: [UserControlPoint.Response.Value] = [
      .success, .opCodeNotSupported, .invalidParameter, .operationFailed, .userNotAuthorized,
    ]

    #expect(opCodes.map(\.rawValue) == [1, 2, 3, 4, 5, 0x20])
    #expect(responses.map(\.rawValue) == [1, 2, 3, 4, 5])
  }

  @Test func `Gender (GSS, 0 to 2) and the unknown user (0xFF)`() {
    let genders: [Gender] = [.male, .female, .unspecified]

    #expect(genders.map(\.rawValue) == [0, 1, 2])
    #expect(UserID.unknown.rawValue == 0xFF)
  }

  @Test func `Day of Week (GSS, Monday is 1)`() {
    let days: [DayOfWeek] = [
      .unknown, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
    ]

    #expect(days.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `Time Source (GSS, 0 to 7)`() {
    let sources: [ReferenceTimeInformation.TimeSource] = [
      .unknown, .networkTimeProtocol, .gps, .radioTimeSignal, .manual, .atomicClock,
      .cellularNetwork, .notSynchronized,
    ]

    #expect(sources.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `Vendor ID Source of the PnP ID (DIS)`() {
    let sources: [PnPID.VendorIDSource] = [.bluetoothSIG, .usbImplementersForum]

    #expect(sources.map(\.rawValue) == [1, 2])
  }

  @Test func `Reset Energy Expended (HRS)`() {
    #expect(HeartRateControlPoint.resetEnergyExpended.rawValue == 1)
  }
}

/// Each list is in the order of the specification's table, with the number of the bit.
@Suite struct `Bits of the specifications` {
  @Test func `flags and status of a blood pressure measurement (GSS)`() {
    expectBits(
      [
        .kilopascal, .timestampPresent, .pulseRatePresent, .userIDPresent,
        .measurementStatusPresent,
      ] as [BloodPressureFlags], are: 0...4)
    expectBits(
      [.bodyMovement, .cuffTooLoose, .irregularPulse] as [BloodPressureStatus], are: 0...2)
    expectBits([.improperPosition] as [BloodPressureStatus], are: 5...5)
  }

  /// Bits 3 and 4 are one field; read as two flags they make two faults of one.
  @Test func `pulse rate range of a blood pressure measurement (GSS, bits 3 and 4)`() {
    let ranges: [BloodPressureStatus.PulseRateRange] = [
      .withinRange, .exceedsUpperLimit, .belowLowerLimit, .reserved,
    ]
    let words: [UInt16] = [0x00, 0x08, 0x10, 0x18]

    #expect(ranges.map { BloodPressureStatus.pulseRateRange($0).rawValue } == words)
    #expect(words.map { BloodPressureStatus(rawValue: $0 | 0x27).pulseRateRange } == ranges)
  }

  @Test func `Blood Pressure Feature (GSS)`() {
    expectBits(
      [
        .bodyMovementDetection, .cuffFitDetection, .irregularPulseDetection,
        .pulseRateRangeDetection, .measurementPositionDetection, .multipleBonds, .e2eCRC,
        .userDataService, .userFacingTime,
      ] as [BloodPressureFeature.Features], are: 0...8)
  }

  @Test func `flags of a glucose measurement and its context (GSS)`() {
    expectBits(
      [
        .timeOffsetPresent, .samplePresent, .molesPerLiter, .sensorStatusPresent, .contextFollows,
      ] as [GlucoseFlags], are: 0...4)
    expectBits(
      [
        .carbohydratePresent, .mealPresent, .testerHealthPresent, .exercisePresent,
        .medicationPresent, .medicationInLiters, .hba1cPresent, .extendedFlagsPresent,
      ] as [GlucoseContextFlags], are: 0...7)
  }

  @Test func `Sensor Status Annunciation and Glucose Feature (GSS)`() {
    expectBits(
      [
        .deviceBatteryLow, .sensorMalfunction, .sampleSizeInsufficient, .stripInsertionError,
        .stripTypeIncorrect, .resultTooHigh, .resultTooLow, .temperatureTooHigh,
        .temperatureTooLow, .readInterrupted, .generalDeviceFault, .timeFault,
      ] as [GlucoseSensorStatus], are: 0...11)
    expectBits(
      [
        .lowBatteryDetection, .sensorMalfunctionDetection, .sampleSizeDetection,
        .stripInsertionErrorDetection, .stripTypeErrorDetection, .resultHighLowDetection,
        .temperatureHighLowDetection, .readInterruptDetection, .generalDeviceFault, .timeFault,
        .multipleBonds,
      ] as [GlucoseFeature.Features], are: 0...10)
  }

  @Test func `flags and status of a continuous glucose monitor (GSS)`() {
    expectBits([.trendPresent, .qualityPresent] as [CGMFlags], are: 0...1)
    expectBits(
      [.warningPresent, .calibrationTemperaturePresent, .statusPresent] as [CGMFlags], are: 5...7)
    expectBits(
      [
        .sessionStopped, .deviceBatteryLow, .sensorTypeIncorrect, .sensorMalfunction,
        .deviceSpecificAlert, .generalDeviceFault,
      ] as [CGMSensorStatus], are: 0...5)
    expectBits(
      [
        .timeSynchronizationRequired, .calibrationNotAllowed, .calibrationRecommended,
        .calibrationRequired, .temperatureTooHigh, .temperatureTooLow,
      ] as [CGMSensorStatus], are: 8...13)
    expectBits(
      [
        .belowPatientLowLevel, .abovePatientHighLevel, .belowHypoLevel, .aboveHyperLevel,
        .rateOfDecreaseExceeded, .rateOfIncreaseExceeded, .resultTooLow, .resultTooHigh,
      ] as [CGMSensorStatus], are: 16...23)
  }

  @Test func `CGM Feature and Calibration Status (GSS)`() {
    expectBits(
      [
        .calibration, .patientHighLowAlerts, .hypoAlerts, .hyperAlerts, .rateAlerts,
        .deviceSpecificAlert, .sensorMalfunctionDetection, .temperatureHighLowDetection,
        .resultHighLowDetection, .lowBatteryDetection, .sensorTypeErrorDetection,
        .generalDeviceFault, .e2eCRC, .multipleBonds, .multipleSessions, .trendInformation,
        .quality,
      ] as [CGMFeature.Features], are: 0...16)
    expectBits(
      [.dataRejected, .dataOutOfRange, .processPending] as [CGMCalibration.Status], are: 0...2)
  }

  @Test func `flags of a heart rate measurement (GSS)`() {
    expectBits(
      [
        .twoByteRate, .sensorContactDetected, .sensorContactSupported, .energyExpendedPresent,
        .rrIntervalPresent,
      ] as [HeartRateFlags], are: 0...4)
  }

  /// The two kinds of measurement give the same fields different bits.
  @Test func `flags of a pulse oximeter's measurements (PLXS)`() {
    expectBits(
      [
        .timestampPresent, .measurementStatusPresent, .deviceAndSensorStatusPresent,
        .pulseAmplitudeIndexPresent, .deviceClockNotSet,
      ] as [PLXSpotCheckMeasurement.Flags], are: 0...4)
    expectBits(
      [
        .fastPresent, .slowPresent, .measurementStatusPresent, .deviceAndSensorStatusPresent,
        .pulseAmplitudeIndexPresent,
      ] as [PLXContinuousMeasurement.Flags], are: 0...4)
  }

  @Test func `status of a pulse oximeter and its features (PLXS)`() {
    expectBits(
      [
        .measurementOngoing, .earlyEstimateData, .validatedData, .fullyQualifiedData,
        .dataFromMeasurementStorage, .dataForDemonstration, .dataForTesting,
        .calibrationOngoing, .measurementUnavailable, .questionableMeasurementDetected,
        .invalidMeasurementDetected,
      ] as [PLXMeasurementStatus], are: 5...15)
    expectBits(
      [.extendedDisplayUpdateOngoing, .equipmentMalfunctionDetected]
        as [PLXDeviceAndSensorStatus], are: 0...1)
    expectBits(
      [
        .inadequateSignalDetected, .poorSignalDetected, .lowPerfusionDetected,
        .erraticSignalDetected, .nonpulsatileSignalDetected, .questionablePulseDetected,
        .signalAnalysisOngoing, .sensorInterferenceDetected, .sensorUnconnectedToUser,
        .unknownSensorConnected, .sensorDisplaced, .sensorMalfunctioning, .sensorDisconnected,
      ] as [PLXDeviceAndSensorStatus], are: 3...15)
    expectBits(
      [
        .measurementStatus, .deviceAndSensorStatus, .measurementStorage, .timestamp, .fast,
        .slow, .pulseAmplitudeIndex, .multipleBonds,
      ] as [PLXFeatures.Features], are: 0...7)
  }

  @Test func `flags of a temperature measurement (GSS)`() {
    expectBits(
      [.fahrenheit, .timestampPresent, .temperatureTypePresent]
        as [TemperatureMeasurement.Flags], are: 0...2)
  }

  @Test func `flags of a weight and a body composition measurement (GSS)`() {
    expectBits(
      [.imperial, .timestampPresent, .userIDPresent, .bmiAndHeightPresent]
        as [WeightMeasurement.Flags], are: 0...3)
    expectBits(
      [
        .imperial, .timestampPresent, .userIDPresent, .basalMetabolismPresent,
        .musclePercentagePresent, .muscleMassPresent, .fatFreeMassPresent,
        .softLeanMassPresent, .bodyWaterMassPresent, .impedancePresent, .weightPresent,
        .heightPresent, .multiplePacketMeasurement,
      ] as [BodyCompositionFlags], are: 0...12)
  }

  @Test func `Weight Scale Feature and Body Composition Feature (GSS)`() {
    expectBits(
      [.timestamp, .multipleUsers, .bmi] as [WeightScaleFeature.Features], are: 0...2)
    expectBits(
      [
        .timestamp, .multipleUsers, .basalMetabolism, .musclePercentage, .muscleMass,
        .fatFreeMass, .softLeanMass, .bodyWaterMass, .impedance, .weight, .height,
      ] as [BodyCompositionFeature.Features], are: 0...10)
  }

  @Test func `Adjust Reason of the current time (CTS)`() {
    expectBits(
      [
        .manualTimeUpdate, .externalReferenceTimeUpdate, .changeOfTimeZone,
        .changeOfDaylightSavingTime,
      ] as [CurrentTime.AdjustReason], are: 0...3)
  }

  private func expectBits<Options: OptionSet>(
    _ options: [Options], are bits: ClosedRange<Int>, _ location: SourceLocation = #_sourceLocation
  ) where Options.RawValue: FixedWidthInteger {
    #expect(options.map(\.rawValue) == bits.map { 1 << $0 }, sourceLocation: location)
  }
}

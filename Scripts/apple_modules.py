# SPDX-License-Identifier: Apache-2.0
"""What the checks know of the modules that replace Apple's frameworks on Linux."""
import dataclasses
import fnmatch
import re


@dataclasses.dataclass(frozen=True)
class AppleModule:
    """A module in place of Apple's framework of the same name."""

    name: str
    # The modules that it is linked with.
    below: tuple[str, ...]
    # What SDKs later than iOS 16.5 declare, according to Apple's documentation: path, kind, text, requirement.
    later: list[tuple]
    # What is left out on purpose, with its members, and why.
    out: dict[str, str] = dataclasses.field(default_factory=dict)
    # Facts that may differ, as regular expressions of paths and names of facts, and why.
    accepted: dict[tuple[str, str], str] = dataclasses.field(default_factory=dict)
    # Whose handlers are Sendable in SDKs later than iOS 16.5, according to Apple's documentation: a regular expression of paths.
    sendable: str = ""

    @staticmethod
    def matches(pattern, path):
        """Whether a pattern names the declaration or a type around it."""
        return fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(path, pattern + ".*")

    def leaves_out(self, path):
        return any(self.matches(pattern, path) for pattern in self.out)

    def accepts(self, path, fact):
        return any(re.fullmatch(pattern, path) and fact == other for pattern, other in self.accepted)

    def later_facts(self, path, facts):
        """The facts of a declaration of iOS 16.5 as later SDKs have them."""
        if not re.fullmatch(self.sendable, path) or "declaration" not in facts:
            return facts
        text = facts["declaration"].replace("@escaping (", "@escaping @Sendable (").replace("((HK", "(@Sendable (HK")
        return {**facts, "declaration": text}


def constants(*names):
    return [(name, "var", f"var {name}: String {{ get }}", None) for name in names]


def cases(of, *names):
    return [(of, "enum", f"enum {of}", None), *((f"{of}.{name}", "enum.case", f"case {name}", None) for name in names)]


def units(*names):
    return [(f"HKUnit.{name}()", "type.method", f"static func {name}() -> Self", None) for name in names]


def identifiers(of, *names):
    return [(f"{of}.{name}", "type.property", f"static var {name}: {of} {{ get }}", None) for name in names]


CORE_BLUETOOTH = AppleModule(
    name="CoreBluetooth",
    below=("SantorioDBus", "SantorioConcurrency", "SantorioFiles"),
    later=[
        ("CBConnectPeripheralOptionEnableAutoReconnect", "var",
         "var CBConnectPeripheralOptionEnableAutoReconnect: String { get }", None),
        ("CBUUIDCharacteristicObservationScheduleString", "var",
         "var CBUUIDCharacteristicObservationScheduleString: String { get }", None),
        ("CBCentralManagerDelegate.centralManager(_:didDisconnectPeripheral:timestamp:isReconnecting:error:)", "method",
         "func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, "
         "timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?)", "optional"),
    ])

ATTACHMENTS = "the store holds values; no export contains the files beside them"
CLINICS = "records of clinics come from a provider that is connected on the phone"
DOCUMENTS = "documents of clinics have no source off the phone"
LENSES = "lenses are not measured by a device; no export that is read here contains them"
ELECTROCARDIOGRAMS = "an export has their voltages in files of their own, which nothing here reads"
SERIES = "an export does not contain the single values of a series"
ROUTES = "places need Core Location, which Linux lacks"
STEADINESS = "Apple does not publish the limits of the classes"

HEALTH_KIT = AppleModule(
    name="HealthKit",
    below=("SantorioConcurrency", "SantorioCryptography", "SantorioSQLite"),
    later=[
        # iOS 17
        *identifiers("HKQuantityTypeIdentifier", "cyclingCadence", "cyclingFunctionalThresholdPower", "cyclingPower",
                     "cyclingSpeed", "physicalEffort", "timeInDaylight"),
        *constants("HKMetadataKeyCyclingFunctionalThresholdPowerTestType", "HKMetadataKeyMaximumLightIntensity",
                   "HKMetadataKeyPhysicalEffortEstimationType", "HKMetadataKeyWaterSalinity"),
        *cases("HKCyclingFunctionalThresholdPowerTestType", "maxExercise60Minute", "maxExercise20Minute", "rampTest",
               "predictionExercise"),
        *cases("HKPhysicalEffortEstimationType", "activityLookup", "deviceSensed"),
        *cases("HKWaterSalinity", "freshWater", "saltWater"),
        *units("lux"),
        ("HKUnit.luxUnit(with:)", "type.method", "static func luxUnit(with prefix: HKMetricPrefix) -> Self", None),
        ("HKWorkoutActivityType.underwaterDiving", "enum.case", "case underwaterDiving", None),
        *identifiers("HKQuantityTypeIdentifier", "environmentalSoundReduction"),
        # iOS 18
        *identifiers("HKQuantityTypeIdentifier", "appleSleepingBreathingDisturbances", "crossCountrySkiingSpeed",
                     "distanceCrossCountrySkiing", "distancePaddleSports", "distanceRowing", "distanceSkatingSports",
                     "estimatedWorkoutEffortScore", "paddleSportsSpeed", "rowingSpeed", "workoutEffortScore"),
        *identifiers("HKCategoryTypeIdentifier", "bleedingAfterPregnancy", "bleedingDuringPregnancy",
                     "sleepApneaEvent"),
        *cases("HKCategoryValueVaginalBleeding", "unspecified", "light", "medium", "heavy", "none"),
        *units("appleEffortScore"),
        ("HKVO2MaxTestType.predictionStepTest", "enum.case", "case predictionStepTest", None),
    ],
    out={
        # Files beside samples
        "HKAttachment*": ATTACHMENTS,
        # Records of clinics
        "HKClinicalRecord": CLINICS,
        "HKFHIR*": CLINICS,
        "HKQuery.predicateForClinicalRecords(*": CLINICS,
        "HKVerifiableClinicalRecord*": "signed records need Apple's service",
        "HKQuery.predicateForVerifiableClinicalRecords(*": "signed records need Apple's service",
        # Documents
        "HKCDA*": DOCUMENTS,
        "HKDetailedCDAValidationErrorKey": DOCUMENTS,
        "HKDocumentQuery": DOCUMENTS,
        "HKDocumentSample": DOCUMENTS,
        # Glasses and contact lenses
        "HKVisionPrescription": LENSES,
        "HKGlassesPrescription": LENSES,
        "HKContactsPrescription": LENSES,
        "HK*LensSpecification": LENSES,
        "HKPrismBase": LENSES,
        "HKVisionEye": LENSES,
        "HKVisionPrism": LENSES,
        "HKSamplePredicate.visionPrescription(*": LENSES,
        # Series
        "HKElectrocardiogram": ELECTROCARDIOGRAMS,
        "HKElectrocardiogramQuery*": ELECTROCARDIOGRAMS,
        "HKQuery.predicateForElectrocardiograms(*": ELECTROCARDIOGRAMS,
        "HKQuery.predicateForObjectsAssociated(electrocardiogram:)": ELECTROCARDIOGRAMS,
        "HKSamplePredicate.electrocardiogram(*": ELECTROCARDIOGRAMS,
        "HKHeartbeatSeries[BQS]*": SERIES,
        "HKSamplePredicate.heartbeatSeries(*": SERIES,
        "HKAudiogramSample": SERIES,
        "HKAudiogramSensitivity*": SERIES,
        "HKSamplePredicate.audiogram(*": SERIES,
        "HK*QuantitySeriesSample*": SERIES,
        "HKSeriesBuilder": SERIES,
        "HKSeriesSample": SERIES,
        "HKWorkoutBuilder.seriesBuilder(for:)": SERIES,
        "HKWorkoutRoute": ROUTES,
        "HKWorkoutRoute[BQ]*": ROUTES,
        "HKSamplePredicate.workoutRoute(*": ROUTES,
        # Single members
        "HKHealthStore.startWatchApp(*": "there is no watch",
        "HKHealthStore.handleAuthorizationForExtension(*": "there are no extensions of apps",
        "HKHealthStore.recalibrateEstimates(*": "nothing here estimates",
        "HKAnchoredObjectQuery.init(type:predicate:anchor:limit:completionHandler:)":
            "anchors are objects; numbers are deprecated since iOS 9",
        "HKAppleWalkingSteadinessClassification.init(for:)": STEADINESS,
        "HKAppleWalkingSteadinessClassification.minimum": STEADINESS,
        "HKAppleWalkingSteadinessClassification.maximum": STEADINESS,
        "BufferedAsyncByteIterator": "a detail of Apple's that is public by mistake",
    },
    accepted={
        # What apps replace in their tests is the store, and what makes workouts.
        (r"HK(?!HealthStore|WorkoutBuilder).*", "access"):
            "Apple's documentation tells apps not to derive from these classes: constants are constants here",
        (r"HK(?!HealthStore|WorkoutBuilder).*", "designated"):
            "Apple's documentation tells apps not to derive from these classes",
        (r"HKWorkoutBuilder\.(device|workoutConfiguration)", "access"): "constants are constants here",
        (r"HKWorkoutActivityType\..*", "deprecated"): "the messages are in our own words",
        (r"HK.*QueryDescriptor\.Results\.flatMap\(_:\)", "declaration"):
            "the standard library has forms for each kind of error since iOS 18",
    },
    sendable=r"HK\w+Query\.(init\(.*|\w*[hH]andler)|HKHealthStore\.splitTotalEnergy.*")

BACKGROUND_TASKS = AppleModule(
    name="BackgroundTasks",
    below=(),
    later=[],
    accepted={
        (r"BGTask(Request)?\.identifier", "access"): "constants are constants here",
    })

MODULES = {module.name: module for module in (CORE_BLUETOOTH, HEALTH_KIT, BACKGROUND_TASKS)}

# SPDX-License-Identifier: Apache-2.0
"""Faults that the comparison of interfaces must find, planted in the data read of the package's modules."""


def symbols(contents, path):
    return [symbol for symbol in contents["symbols"] if ".".join(symbol["pathComponents"]) == path]


def remove(path):
    def plant(contents, numbers):
        contents["symbols"].remove(symbols(contents, path)[0])
    return plant


def rename(path, name):
    """Gives the declaration another last name, with its labels."""
    def plant(contents, numbers):
        symbols(contents, path)[0]["pathComponents"][-1] = name
    return plant


def respell(path, old, new):
    """Replaces a text in the declaration."""
    def plant(contents, numbers):
        for symbol in symbols(contents, path):
            for fragment in symbol["declarationFragments"]:
                fragment["spelling"] = fragment["spelling"].replace(old, new)
    return plant


def access(path, level):
    def plant(contents, numbers):
        symbols(contents, path)[0]["accessLevel"] = level
    return plant


def kind(path, name):
    def plant(contents, numbers):
        symbols(contents, path)[0]["kind"]["identifier"] = name
    return plant


def number(path, value):
    def plant(contents, numbers):
        assert path in numbers
        numbers[path] = value
    return plant


def not_deprecated(path):
    def plant(contents, numbers):
        del symbols(contents, path)[0]["availability"]
    return plant


def deprecated_so(path, message):
    def plant(contents, numbers):
        for item in symbols(contents, path)[0]["availability"]:
            item["message"] = message
    return plant


def unrelate(relation, source, target=""):
    """Takes away the relation to what has such a name."""
    def plant(contents, numbers):
        usrs = {symbol["identifier"]["precise"] for symbol in symbols(contents, source)}
        targets = {symbol["identifier"]["precise"] for symbol in symbols(contents, target)}
        contents["relationships"] = [
            other for other in contents["relationships"]
            if not (other["kind"] == relation and other["source"] in usrs
                    and (other["target"] in targets or other.get("targetFallback", "").endswith("." + target)
                         or not target))]
    return plant


def convenience(path):
    def plant(contents, numbers):
        for symbol in symbols(contents, path):
            symbol["declarationFragments"].insert(0, {"kind": "keyword", "spelling": "convenience "})
    return plant


def add_as(path, name):
    """Adds a declaration at the module's top."""
    def plant(contents, numbers):
        symbol = dict(symbols(contents, path)[0], pathComponents=[name])
        symbol["identifier"] = {"precise": f"s:{name}", "interfaceLanguage": "swift"}
        contents["symbols"].append(symbol)
    return plant


# For each module: what is wrong, part of the line that must be reported, and how it is planted.
FAULTS = {
    "BackgroundTasks": [
        ("a method is missing", "missing: method BGTaskScheduler.cancelAllTaskRequests()",
         remove("BGTaskScheduler.cancelAllTaskRequests()")),
        ("another label", "missing: method BGTask.setTaskCompleted(success:)",
         rename("BGTask.setTaskCompleted(success:)", "setTaskCompleted(_:)")),
        ("another number of a case", "different: BGTaskScheduler.Error.Code.notPermitted: number",
         number("BGTaskScheduler.Error.Code.notPermitted", 4)),
        ("another superclass", "different: BGProcessingTask: superclass",
         unrelate("inheritsFrom", "BGProcessingTask", "BGTask")),
    ],
    "CoreBluetooth": [
        ("a method is missing", "missing: method CBCentralManager.stopScan()", remove("CBCentralManager.stopScan()")),
        ("a constant is missing", "missing: var CBAdvertisementDataLocalNameKey",
         remove("CBAdvertisementDataLocalNameKey")),
        ("one of two overloads is missing", "different: CBPeripheral.readValue(for:): declaration",
         remove("CBPeripheral.readValue(for:)")),
        ("another label", "missing: method CBPeripheral.openL2CAPChannel(_:)",
         rename("CBPeripheral.openL2CAPChannel(_:)", "openL2CAPChannel(psm:)")),
        ("another type", "different: CBManager.state: declaration",
         respell("CBManager.state", "CBManagerState", "CBPeripheralState")),
        ("no optional", "different: CBPeripheral.name: declaration", respell("CBPeripheral.name", "?", "")),
        ("no setter", "different: CBATTRequest.value: declaration", respell("CBATTRequest.value", "set", "")),
        ("no default argument", "different: CBCentralManager.connect(_:options:): declaration",
         respell("CBCentralManager.connect(_:options:)", " = nil", "")),
        ("throws", "different: CBPeripheral.readRSSI(): declaration",
         respell("CBPeripheral.readRSSI()", "()", "() throws")),
        ("a class that cannot be subclassed", "different: CBPeripheral: access: Apple's is open, ours is public",
         access("CBPeripheral", "public")),
        ("a property that cannot be overridden", "different: CBManager.state: access",
         access("CBManager.state", "public")),
        ("a structure for a class", "missing: class CBUUID (ours is a struct)", kind("CBUUID", "swift.struct")),
        ("another name of a case", "missing: enum.case CBError.Code.connectionTimeout",
         rename("CBError.Code.connectionTimeout", "connectionTimedOut")),
        ("another number of a case", "different: CBManagerState.poweredOn: number",
         number("CBManagerState.poweredOn", 4)),
        ("another bit of an option", "different: CBCharacteristicProperties.indicate: number",
         number("CBCharacteristicProperties.indicate", 0x40)),
        ("a case that is not deprecated", "different: CBError.Code.unkownDevice: deprecated",
         not_deprecated("CBError.Code.unkownDevice")),
        ("another text of a deprecation", "different: CBPeripheralManager.authorizationStatus(): deprecated",
         deprecated_so("CBPeripheralManager.authorizationStatus()", "Use something else")),
        ("a method that delegates must have", "requirement: Apple's is optional, ours is required",
         unrelate("defaultImplementationOf", "CBPeripheralDelegate.peripheral(_:didModifyServices:)")),
        ("a closed enumeration", "different: CBPeripheralState: open",
         respell("CBPeripheralState", "@nonexhaustive", "")),
        ("a warning of an unused result",
         "onSubscribedCentrals:): ignorable result: Apple's is True, ours is False",
         respell("CBPeripheralManager.updateValue(_:for:onSubscribedCentrals:)", "@discardableResult", "")),
        ("a conformance is missing", "different: CBPeer: does not conform to NSCopying",
         unrelate("conformsTo", "CBPeer", "NSCopying")),
        ("another superclass", "different: CBL2CAPChannel: superclass",
         unrelate("inheritsFrom", "CBL2CAPChannel", "NSObject")),
        ("no designated initializer", "designated: ours is a convenience initializer",
         convenience("CBMutableService.init(type:primary:)")),
        ("a constant of a later SDK is missing", "of a later SDK: CBUUIDCharacteristicObservationScheduleString",
         remove("CBUUIDCharacteristicObservationScheduleString")),
    ],
    "HealthKit": [
        ("a method is missing", "missing: method HKHealthStore.stop(_:)", remove("HKHealthStore.stop(_:)")),
        ("an asynchronous form is missing", "missing: method HKHealthStore.requestAuthorization(toShare:read:)",
         remove("HKHealthStore.requestAuthorization(toShare:read:)")),
        ("a key is missing", "missing: var HKMetadataKeyTimeZone", remove("HKMetadataKeyTimeZone")),
        ("a type of quantities is missing", "missing: type.property HKQuantityTypeIdentifier.stepCount",
         remove("HKQuantityTypeIdentifier.stepCount")),
        ("one of two overloads is missing", "different: HKQuery.predicateForObjects(from:): declaration",
         remove("HKQuery.predicateForObjects(from:)")),
        ("another label", "missing: method HKQuantity.doubleValue(for:)",
         rename("HKQuantity.doubleValue(for:)", "doubleValue(in:)")),
        ("another type", "different: HKSample.startDate: declaration", respell("HKSample.startDate", "Date", "Double")),
        ("no optional", "different: HKDevice.name: declaration", respell("HKDevice.name", "?", "")),
        ("a setter", "different: HKAnchoredObjectQueryDescriptor.predicates: declaration",
         respell("HKAnchoredObjectQueryDescriptor.predicates", "var", "let")),
        ("does not throw", "different: HKHealthStore.dateOfBirthComponents(): declaration",
         respell("HKHealthStore.dateOfBirthComponents()", "throws", "")),
        ("no default argument", "different: HKSampleQueryDescriptor.init(predicates:sortDescriptors:limit:): declaration",
         respell("HKSampleQueryDescriptor.init(predicates:sortDescriptors:limit:)", " = nil", "")),
        ("a class that cannot be subclassed", "different: HKHealthStore: access: Apple's is open, ours is public",
         access("HKHealthStore", "public")),
        ("a method that cannot be overridden", "different: HKHealthStore.execute(_:): access",
         access("HKHealthStore.execute(_:)", "public")),
        ("a structure for a class", "missing: class HKUnit (ours is a struct)", kind("HKUnit", "swift.struct")),
        ("another number of a case", "different: HKCategoryValueSleepAnalysis.asleepREM: number",
         number("HKCategoryValueSleepAnalysis.asleepREM", 6)),
        ("another bit of an option", "different: HKStatisticsOptions.cumulativeSum: number",
         number("HKStatisticsOptions.cumulativeSum", 8)),
        ("a case that is not deprecated", "different: HKCategoryValueSleepAnalysis.asleep: deprecated",
         not_deprecated("HKCategoryValueSleepAnalysis.asleep")),
        ("a closed enumeration", "different: HKWorkoutActivityType: open",
         respell("HKWorkoutActivityType", "@nonexhaustive", "")),
        ("a warning of an unused result", "ignorable result: Apple's is True, ours is False",
         respell("HKHealthStore.earliestPermittedSampleDate()", "@discardableResult", "")),
        ("a conformance is missing", "different: HKQueryAnchor: does not conform to NSSecureCoding",
         unrelate("conformsTo", "HKQueryAnchor", "NSSecureCoding")),
        ("predicates of values are missing", "does not conform to HKCategoryValuePredicateProviding",
         unrelate("conformsTo", "HKCategoryValueSleepAnalysis", "HKCategoryValuePredicateProviding")),
        ("another superclass", "different: HKQuantitySample: superclass", unrelate("inheritsFrom", "HKQuantitySample")),
        ("a type of a later SDK is missing", "of a later SDK: HKQuantityTypeIdentifier.cyclingPower",
         remove("HKQuantityTypeIdentifier.cyclingPower")),
        ("something is said to be left out", "said to be left out, but there: HKClinicalRecord",
         add_as("HKUnit", "HKClinicalRecord")),
    ],
}

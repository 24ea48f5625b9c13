// SPDX-License-Identifier: Apache-2.0

/// The texts of this module, in English; the String Catalog has the translations.
///
/// Names, instructions and advice that other modules have in English are keys of the catalogue, too.
enum TextKey: String, CaseIterable, Sendable {
  // MARK: - Common

  case cancel = "Cancel"
  case done = "Done"
  case close = "Close"
  case tryAgain = "Try again"
  case openSettings = "Open Settings"
  case nameAndValue = "%1$@: %2$@"
  case noSession = "Nobody is signed in. Sign in to the app, then try again."
  case storageLocked =
    "The phone was just started and is still locked. Unlock it once, then try again."
  case storageFull =
    "There is no room left to store readings. Free some space on the phone, then try again."
  case storageFailed =
    "The readings on this phone cannot be opened. Close the app and open it again. If that does not help, ask for support."
  case noServer = "The server cannot be reached. Your readings are kept and sent later."
  case serverBusy = "The server is busy. Your readings are kept and sent later."
  case signInAgain = "The server does not accept your sign-in any more. Sign in to the app again."
  case serverRefuses = "The server does not accept readings. Ask for support."
  case notYours = "These readings belong to another person. Sign in as that person to send them."
  case notFound = "This is no longer there."
  case somethingFailed = "That did not work. Try again."

  // MARK: - Choosing a device

  case chooseDevice = "Choose your device"
  case searchDevices = "Search by name or manufacturer"
  case yourDevices = "Your devices"
  case noDeviceFound = "No device matches \"%@\". Look for the name on the back of your device."
  case needsPairing = "Must be paired once"
  case paired = "Paired"
  case pictureOf = "Picture of %@"
  case thermometers = "Thermometers"
  case bloodPressureMonitors = "Blood pressure monitors"
  case heartRateMonitors = "Heart rate monitors"
  case glucoseMeters = "Blood glucose meters"
  case continuousGlucoseMonitors = "Glucose sensors"
  case weightScales = "Scales"
  case pulseOximeters = "Pulse oximeters"
  case coagulationMeters = "Coagulation meters"

  // MARK: - Pairing

  case pairTitle = "Pair %@"
  case pairingExplained =
    "Pairing connects the device with this phone. You do it once. Keep the device within two metres of the phone."
  case noPairingNeeded = "This device needs no pairing. You can read it right away."
  case startPairing = "Pair now"
  case pairAgain = "Pair again"
  case searchingDevice = "Looking for your device…"
  case foundPairing = "Device found. Pairing… If the phone asks, confirm that you want to pair."
  case pairedNow = "Your device is paired."
  case pairedProvisionally =
    "Your device is paired. Whether it stays paired shows when it is read for the first time."
  case pairingCancelled = "Pairing was cancelled."
  case takeMemory = "Also take the readings that the device already has"
  case olderReadings = "Readings from before the device was paired, which are not sent: %@"
  case readNow = "Read now"

  // MARK: - Reading

  case readTitle = "Read %@"
  case startReading = "Start"
  case useDeviceNow = "Use the device now"
  case deviceFound = "Device found. Connecting…"
  case waitingForOther = "Another reading has to end first. This one starts by itself."
  case tooManyConnections =
    "The phone is connected to too many devices. Switch one off; this reading then starts by itself."
  case readingsSoFar = "Readings so far: %@"
  case nothingNew =
    "The device has no new readings. Take a measurement, then try again."
  case readingCancelled = "Reading was cancelled."
  case readingsKept = "What was received before is kept. Readings: %@"
  case readingsSent = "Your readings are on their way. Readings: %@"
  case readingsDeclined =
    "Nothing was sent. You can still send it later under \"Declined earlier\"."
  case undecidedUsers =
    "The device has several users. These readings wait until you say whether they are yours."
  case rejectedCount = "Not used because something was wrong with them: %@"
  case rejectedMeasurement = "The device reports that a measurement failed. Measure again."
  case rejectedMalformed = "The device sent something that cannot be understood."
  case rejectedImplausible = "A measurement had values that cannot be right. Measure again."
  case rejectedControl = "A test with control solution is not a reading of yours."
  case rejectedSignal = "The device felt no signal. Put it on again and measure."
  case rejectedUser = "A measurement was made for another user of the device."

  // MARK: - What went wrong

  case errorBroken =
    "The connection to the device broke off. Keep the device close to the phone, then try again."
  case errorConnection =
    "The device was found, but could not be connected. Switch it off and on, then try again."
  case errorPairing =
    "The device could not be paired. Put it into pairing mode as described, then pair it."
  case errorBondDevice =
    "The device no longer knows this phone. Open Settings, Bluetooth, tap the (i) beside the device and choose to forget it. Then pair it again."
  case errorBondSystem =
    "This phone no longer knows the device. Put the device into pairing mode and pair it again."
  case errorKeyMissing = "The device wants a code that the app does not have. Ask for support."
  case errorKeyNeeded =
    "The key of this device is missing, or is not the right one. Enter it, then read the device again."
  case errorUnsupported = "This phone has no Bluetooth that can read the device."
  case errorOff = "Bluetooth is switched off. Switch it on in Settings or Control Centre."
  case errorDenied =
    "This app may not use Bluetooth. Open Settings, choose this app and allow Bluetooth."
  case errorRestricted =
    "Bluetooth is blocked for this app by Screen Time or by your organisation. Ask who manages the phone."
  case errorUnknownState = "Bluetooth is not ready. Wait a moment, then try again."
  case errorNoReading = "The device sent no measurement. Take one, then try again."
  case errorNotFound =
    "The device was not found. Is it switched on, close to the phone, and was a measurement taken? Then try again."
  case errorSlow = "The device did not send its readings in time. Try again."
  case errorBusy = "Another reading is still running. Wait for it to end, then try again."
  case errorNotStored =
    "The readings could not be saved. Free some space on the phone, then read the device again."
  case errorIdentity =
    "The device did not say which one it is. Its readings are still on it. Read it again."
  case errorOthersDevice =
    "This device belongs to another person who uses this app. Delete the readings on the device before you take it over."
  case errorNotEnrolled = "This device is not paired for you yet. Pair it first."
  case errorNotSupported = "This device cannot be read by the app."
  case errorInterrupted =
    "The app was in the background for too long. Keep it open until the reading is done, then try again."
  case errorSignedOut =
    "You were signed out before the readings were sent. They are kept: see \"Readings to be sent\"."
  case errorMisconfigured = "The app is not set up correctly. Ask for support."

  // MARK: - Keys of devices

  case keyTitle = "Key of %@"
  case keyExplained =
    "This device encrypts what it sends. Its own key is needed to read it. The key stays on this phone."
  case keyOfScale =
    "The manufacturer's app has given the scale its key. The account there, or a tool for it, shows the key and the scale's address."
  case keyField = "Key (%@ characters)"
  case addressField = "Address (%@ characters)"
  case keyIncomplete =
    "%@: enter all of them. They are digits from 0 to 9 and letters from A to F."
  case keySave = "Save the key"
  case keySaved = "The key is saved. Whether it is the right one shows when the device is read."
  case keyNotSaved = "The key could not be saved. Try again."
  case keyNeeded = "The device's own key is needed before it can be read."
  case enterKey = "Enter the key"

  // MARK: - Review

  case reviewTitle = "Check your readings"
  case heldTitle = "Readings that wait for you"
  case declinedTitle = "Declined earlier"
  case olderTitle = "From before the device was paired"
  case confirmAll = "Send"
  case declineAll = "Do not send"
  case confirmEverything = "Send all"
  case declineEverything = "Send none"
  case sendAfterAll = "Send after all"
  case deleteForGood = "Delete for good"
  case reallyDelete = "Delete these readings for good? They cannot be restored."
  case nothingToReview = "There is nothing to check."
  case timeOfDevice = "Time of the device's clock"
  case timeCorrected = "Time corrected: the device's clock was wrong"
  case timeOfPhone = "Time when the phone received it"
  case timeEntered = "Time entered by you"
  case timeUnknown = "The time is not certain"
  case doubtImplausible = "%@ looks unusual. Check it and measure again if you are not sure."
  case doubtSignal = "The device is not sure about %@. Keep still and measure again."
  case doubtEarly = "This is an early estimate. The final value may differ."
  case doubtUser = "The device does not know whose reading this is. Send it only if it is yours."
  case doubtClock =
    "The device's clock shows a time that cannot be right. The time of receipt is used."
  case doubtContradiction = "%@ does not fit the other values. Measure again."
  case doubtFuture = "The time lies in the future. Check the device's clock."
  case enteredByHand = "Entered by hand"
  case belowRange = "Below the device's range (LO)"
  case aboveRange = "Above the device's range (HI)"
  case noValue = "No value"
  case lessThan = "less than %@"
  case moreThan = "more than %@"
  case seriesOfValues = "Values: %@"
  case beforeMeal = "Before a meal"
  case afterMeal = "After a meal"
  case atAnyTime = "Regardless of meals"
  case fasting = "Fasting"

  // MARK: - Passive reading

  case passiveTitle = "Automatic reading"
  case passiveSwitch = "Read my devices automatically"
  case passiveOn = "Your devices are read as soon as they are used near the phone."
  case passiveOff = "Automatic reading is switched off."
  case passiveNoSession =
    "Automatic reading needs a signed-in person. Sign in and switch it on again."
  case passiveAwaitingPermission = "Allow Bluetooth when the phone asks for it."
  case passiveInteractive = "Paused while a device is paired or read. It goes on by itself."
  case passiveStorage =
    "Automatic reading starts once the phone was unlocked after it was switched on."
  case limitBackground = "Readings arrive only while this app is open."
  case limitRelaunch = "After the phone was restarted, open this app once."
  case limitHardlyHeard =
    "%@ is often missed while the app is in the background. Open the app to read it."
  case limitNotPaired = "%@ must be paired before it is read automatically."
  case deviceWaiting = "Waiting for the next measurement"
  case deviceReading = "Being read"
  case deviceQuiet = "Read; waits until it is used again"
  case deviceBackingOff = "Could not be read; it is tried again"
  case deviceBondLost = "No longer paired. Pair it again."
  case deviceQueueFull = "Many of its readings still wait to be sent"
  case deviceStopped = "Not read at the moment"
  case lastSeen = "Last seen: %@"
  case lastRead = "Last read: %@"
  case neverRead = "Not read yet"
  case nextTry = "Next try: %@"
  case battery = "Battery: %@ %%"
  case failedAttempts = "Failed attempts: %@"

  // MARK: - Users of devices

  case usersTitle = "Devices of several people"
  case usersExplained =
    "Some devices are used by several people. Say which of them you are on the device. The readings of the others are left alone then."
  case userQuestion = "Who are you?"
  case userNotSaid = "Not said yet"
  case userNumber = "User %@"
  case userSlot = "The user with the number %@"
  case usersNone = "None of your devices is known to tell its users apart."
  case usersUnknown = "Read this device once. Then say which of its users you are."
  case usersHeld = "Readings that wait until you say it: %@"
  case usersReleased = "Readings that had waited and are sent now: %@"

  // MARK: - Queue

  case queueTitle = "Readings to be sent"
  case waitingCount = "Waiting to be sent: %@"
  case heldCount = "Waiting for your decision: %@"
  case quarantinedCount = "Refused by the server: %@"
  case oldestWaiting = "Oldest reading: %@"
  case uploadStopped = "Sending is paused."
  case uploadIdle = "Everything is sent."
  case uploadUnderway = "Readings are being sent."
  case uploadNow = "Send now"
  case quarantineTitle = "Refused readings"
  case quarantineReason = "Reason: %@"
  case quarantineDamaged = "The reading was damaged on this phone."
  case quarantineDuplicate = "The server has another reading with the same name."
  case quarantineNotConvertible = "The reading cannot be written in the form that the server wants."
  case quarantineRefused = "The server did not accept it (%@)."
  case quarantinedDeletion = "A deletion"
  case retryAll = "Send all again"
  case retryOne = "Send again"
  case discardOne = "Delete"
  case confirmDiscard = "Delete this refused reading for good? The server does not have it."
  case archivesTitle = "Kept from earlier sign-ins"
  case archiveContent = "Readings: %1$@, signed out: %2$@"
  case archiveEnded = "by you"
  case archiveReplaced = "because somebody else signed in"
  case archiveRefused = "because the server did not accept the sign-in"
  case archiveDamaged = "because the readings on this phone were damaged"
  case returnArchive = "Send these, too"
  case removeArchive = "Delete these"
  case confirmRemoveArchive = "Delete these readings for good? The server does not have them."

  // MARK: - Display

  case displayTitle = "Read a display with the camera"
  case displayExplained =
    "For devices without Bluetooth. Point the camera at the display; the app reads the numbers and you check them."
  case chooseDisplay = "What do you want to read?"
  case chooseUnit = "Unit on the display"
  case unitFromDisplay = "As the display shows"
  case startCamera = "Open camera"
  case holdCamera = "Hold the phone so that the display fills the frame."
  case valueSoFar = "Read so far: %@"
  case checkValues = "Do these numbers match the display? Correct them if not."
  case noNumber = "Enter a number for %@."
  case valueOutOfRange = "%@ cannot be right. Check the number."
  case readAgain = "Read again"
  case cameraDenied =
    "This app may not use the camera. Open Settings, choose this app and allow the camera."
  case displayTimedOut = "The display could not be read."
  case displayOtherUnit = "This device does not show that unit. Choose another one."
  case displayUnavailable = "Displays cannot be read in this version of the app. Ask for support."
  case displaySent = "Your reading is on its way."

  // MARK: - Health

  case healthTitle = "Apple Health"
  case healthExplained =
    "Choose what the app may read from Apple Health. The phone then asks you once more for each kind of data."
  case healthApply = "Allow and save"
  case healthSaved = "Saved. What you have chosen is read from now on."
  case healthNothing = "Nothing is read from Apple Health."
  case healthCheck = "Check the settings"
  case healthCheckPassed = "Everything is set up correctly."
  case healthMissing = "Missing: %@"
  case setRoutine = "Activity"
  case setRoutineDetail = "Steps, distance, stairs, energy and exercise of each day"
  case setDiabetes = "Diabetes"
  case setDiabetesDetail = "Readings of blood glucose"
  case setWeight = "Weight"
  case setWeightDetail = "Weight, height, body mass index, body fat and lean mass"
  case setFitness = "Workouts"
  case setFitnessDetail = "Workouts with their duration, distance and heart rate"
  case setSleep = "Sleep"
  case setSleepDetail = "When you slept and how deeply"
  case setNutrition = "Nutrition"
  case setNutritionDetail = "Energy, carbohydrates, fat, protein, water and more"
  case setReproductive = "Cycle"
  case setReproductiveDetail = "Period, ovulation, sexual activity and basal body temperature"
  case setBiometrics = "Vital signs"
  case setBiometricsDetail = "Blood pressure, heart rate, temperature and oxygen saturation"
  case healthUnavailable = "This device has no health data."
  case healthUnsupported = "One of these kinds of data cannot be read. Update the app."
  case healthNotAuthorized =
    "Apple Health does not let the app read. Open Settings, Health, Data Access, and allow it there."
  case healthLocked = "The phone is locked. Health data is read when you unlock it."
  case healthNotStored = "The health data could not be saved. It is read again later."

  // MARK: - Units

  case unitsTitle = "Units"
  case unitOfRegion = "As usual in your region (%@)"
  case glucoseUnit = "Unit of blood glucose"
  case massUnit = "Unit of weight"
  case temperatureUnit = "Unit of temperature"
  case pressureUnit = "Unit of blood pressure"
}

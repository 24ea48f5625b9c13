// SPDX-License-Identifier: Apache-2.0

extension AppText {
  /// The app's texts in English, which a test compares with the String Catalog.
  public enum Key: String, CaseIterable, Hashable, Sendable {
    // MARK: - Everywhere

    case devices = "Devices"
    case review = "Check"
    case queue = "Send"
    case settings = "Settings"
    case cancel = "Cancel"
    case starting = "Starting…"

    // MARK: - Signing in and out

    case signIn = "Sign in"
    case signInExplained =
      "Enter what you were given by those who care for you. The app keeps it; you do it once."
    case server = "Server"
    case organization = "Organisation"
    case user = "User ID"
    case token = "Access token"
    case serverIsMissing = "Enter the address of the server."
    case serverIsMalformed =
      "This is not the address of a server. It looks like readings.example.org."
    case serverIsInsecure =
      "This address is not encrypted. Enter one that begins with https."
    case identifierIsWrong =
      "Enter 1 to 128 characters: letters without accents, digits, point, hyphen and underscore."
    case tokenIsWrong = "Enter the token as it was given to you, without spaces."
    case unknownPerson =
      "The server does not know this person or this token. Check what you have entered."
    case serverIsSilent =
      "This server does not answer. Check the address and your connection. You can sign in all the same: your readings are then kept until it answers, and sent to no other server."
    case signInAnyway = "Sign in all the same"
    case signedOutByServer =
      "The server does not accept your sign-in any more. Sign in again. What was not sent is kept. Automatic reading and Apple Health are switched off: switch them on again under \"Settings\"."
    case account = "Account"
    case signOut = "Sign out"
    case everythingSent = "Everything is sent."
    case notSentYet = "Not sent yet: %@"
    case notCheckedYet = "Not checked yet: %@"
    case sendFirst = "Send first"
    case signOutQuestion = "Sign out?"
    case signOutKeepsUnsent =
      "What was not sent stays on this phone, encrypted. To send it, sign in again as the same person and open \"Send\"."
    case signOutEndsReading =
      "Automatic reading and Apple Health are switched off. When you have signed in again, switch them on again under \"Settings\"."
    case stillWaiting = "Not everything could be sent. It is tried again by itself."

    // MARK: - Devices

    case readDisplay = "Read a display"
    case takeDeviceOver = "Take the device over"
    case takeOverQuestion = "Has another person used this device with this app?"
    case takeOverExplained =
      "Delete the readings on the device first. What is still on it is sent as yours."
    case automaticReading = "Automatic reading"
    case sharedDevices = "Devices of several people"
    case appleHealth = "Apple Health"
    case healthIsSentAsYours =
      "Switch this on only on your own phone: all that Apple Health has since the beginning of today is sent as yours."
    case units = "Units"

    // MARK: - Notices

    case readyToRead = "Ready to read: %@"
    case takeMeasurement = "Take your measurement now."
    case wasRead = "Read: %@"
    case newReadings = "New readings: %@. They are being sent."
    case couldNotRead = "Not read: %@"
    case pairItAgain = "Open the app and pair the device again."
    case isItYours = "Open the app and say whether the reading is yours."
  }
}

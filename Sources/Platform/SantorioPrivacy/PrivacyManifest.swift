// SPDX-License-Identifier: Apache-2.0

/// Brings the package's privacy manifest into apps, where Xcode adds it to the app's privacy report.
///
/// The manifest says what the package does for an app: it sends health data, the user's identifier
/// and images of records to the server that the app names, and looks at the sizes and owners of files
/// in the app's containers (reason C617.1). It tracks nobody.
package enum PrivacyManifest {}

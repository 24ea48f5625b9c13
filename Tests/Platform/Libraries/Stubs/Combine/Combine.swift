// SPDX-License-Identifier: Apache-2.0

// OpenCombine has the interface of Apple's Combine under another name.
@_exported import OpenCombine
@_exported import OpenCombineDispatch
@_exported import OpenCombineFoundation

// SPDX-License-Identifier: Apache-2.0

import SantorioImages

/// One input: a file that may be an image.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  _ = PhotoTime(jpeg: input)
  do throws(ImageFileError) {
    let image = try DecodedImage(input)
    precondition(image.pixels.count == image.width * image.height)
  } catch {
    precondition(!error.description.isEmpty)
  }
  return 0
}

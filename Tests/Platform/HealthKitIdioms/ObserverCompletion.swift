// SPDX-License-Identifier: Apache-2.0

@preconcurrency import HealthKit

actor Uploader {
  func upload(_ type: String) async {}
}

func observe(_ store: HKHealthStore, _ type: HKSampleType, _ uploader: Uploader) {
  let query = HKObserverQuery(sampleType: type, predicate: nil) { query, done, error in
    nonisolated(unsafe) let done = done
    let name = type.identifier
    Task {
      await uploader.upload(name)
      done()
    }
  }
  store.execute(query)
}

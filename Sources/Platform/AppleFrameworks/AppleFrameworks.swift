// SPDX-License-Identifier: Apache-2.0

// Empty: where Apple's frameworks are, the products that stand in for them have this target, so
// that packages which name them can be resolved, and nothing shadows the frameworks.

// SPDX-License-Identifier: Apache-2.0
//
// Does with sd-bus the least that a reading needs, and says the same of it as Tests/BlueZLab/BlueZLabReader: the lower bound
// with which the lab compares it. It keeps nothing, recovers from nothing, and knows the adapter's path. Every call is sent as
// soon as it can be, without waiting for the answer to the one before it. StartNotify it is, because bluetoothd refuses
// AcquireNotify for a characteristic that only indicates, as that of a blood pressure monitor does.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>

#define BLUEZ "org.bluez"
#define ADAPTER_PATH "/org/bluez/hci0"
#define ADAPTER "org.bluez.Adapter1"
#define DEVICE "org.bluez.Device1"
#define CHARACTERISTIC "org.bluez.GattCharacteristic1"
#define SERVICE_UUID "00001810-0000-1000-8000-00805f9b34fb"
#define MEASUREMENT_UUID "00002a35-0000-1000-8000-00805f9b34fb"

static sd_bus *bus;
static char device[128], measurement[256];
static bool is_resolved, is_finished;

static int check(int code, const char *what) {
  if (code < 0) {
    fprintf(stderr, "%s: %s\n", what, strerror(-code));
    exit(1);
  }
  return code;
}

// Ends the program when a call failed.
static int answered(sd_bus_message *answer, void *name, sd_bus_error *error) {
  const sd_bus_error *failure = sd_bus_message_get_error(answer);
  if (failure) {
    fprintf(stderr, "%s: %s\n", (const char *)name, failure->message);
    exit(1);
  }
  return 0;
}

static void call(const char *path, const char *interface, const char *name) {
  check(sd_bus_call_method_async(bus, NULL, BLUEZ, path, interface, name, answered, (void *)name, NULL), name);
}

// The second number of /proc/self/statm, in pages of 4 KiB.
static long resident_kibibytes(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return pages * 4;
}

// A Blood Pressure Measurement: flags, then the systolic value as a number of 16 bits (GATT Specification Supplement, 3.31).
static void report(const uint8_t *value, size_t count) {
  struct timespec now;
  if (is_finished || count < 7) return;
  clock_gettime(CLOCK_MONOTONIC, &now);
  printf("record %.6f %ld %d\n", now.tv_sec + now.tv_nsec / 1e9, resident_kibibytes(), (value[1] | value[2] << 8) & 0xFFF);
  fflush(stdout);
  is_finished = true;
  sd_bus_call_method_async(bus, NULL, BLUEZ, device, DEVICE, "Disconnect", NULL, NULL, NULL);
  sd_bus_flush(bus);
}

static void subscribe(void) {
  if (is_resolved && measurement[0]) call(measurement, CHARACTERISTIC, "StartNotify");
}

// Moves on to the value of the property of that name in the dictionary at the message's position; false at its end.
static bool find_property(sd_bus_message *message, const char *wanted) {
  const char *name;
  while (check(sd_bus_message_enter_container(message, 'e', "sv"), "property") > 0) {
    check(sd_bus_message_read(message, "s", &name), "property");
    if (!strcmp(name, wanted)) return true;
    check(sd_bus_message_skip(message, "v"), "property");
    check(sd_bus_message_exit_container(message), "property");
  }
  return false;
}

static bool advertises_service(sd_bus_message *properties) {
  const char *uuid;
  if (!find_property(properties, "UUIDs")) return false;
  check(sd_bus_message_enter_container(properties, 'v', "as"), "UUIDs");
  check(sd_bus_message_enter_container(properties, 'a', "s"), "UUIDs");
  while (check(sd_bus_message_read(properties, "s", &uuid), "UUIDs") > 0)
    if (!strcmp(uuid, SERVICE_UUID)) return true;
  return false;
}

static bool is_measurement(sd_bus_message *properties) {
  const char *uuid;
  if (!find_property(properties, "UUID")) return false;
  check(sd_bus_message_read(properties, "v", "s", &uuid), "UUID");
  return !strcmp(uuid, MEASUREMENT_UUID);
}

static void found(const char *path) {
  snprintf(device, sizeof device, "%s", path);
  call(ADAPTER_PATH, ADAPTER, "StopDiscovery");
  call(device, DEVICE, "Connect");
}

// InterfacesAdded(path, {interface: {property: value}})
static int added(sd_bus_message *message, void *context, sd_bus_error *error) {
  const char *path, *interface;
  check(sd_bus_message_read(message, "o", &path), "InterfacesAdded");
  check(sd_bus_message_enter_container(message, 'a', "{sa{sv}}"), "InterfacesAdded");
  while (check(sd_bus_message_enter_container(message, 'e', "sa{sv}"), "InterfacesAdded") > 0) {
    check(sd_bus_message_read(message, "s", &interface), "InterfacesAdded");
    bool is_device = !device[0] && !strcmp(interface, DEVICE), is_characteristic = device[0] && !strcmp(interface, CHARACTERISTIC);
    if (!is_device && !is_characteristic) {
      check(sd_bus_message_skip(message, "a{sv}"), "InterfacesAdded");
      check(sd_bus_message_exit_container(message), "InterfacesAdded");
      continue;
    }
    check(sd_bus_message_enter_container(message, 'a', "{sv}"), "InterfacesAdded");
    if (is_device && advertises_service(message)) {
      found(path);
    } else if (is_characteristic && is_measurement(message)) {
      snprintf(measurement, sizeof measurement, "%s", path);
      subscribe();
    }
    break;
  }
  return 0;
}

// PropertiesChanged(interface, {property: value}, …)
static int changed(sd_bus_message *message, void *context, sd_bus_error *error) {
  const char *path = sd_bus_message_get_path(message), *interface;
  check(sd_bus_message_read(message, "s", &interface), "PropertiesChanged");
  check(sd_bus_message_enter_container(message, 'a', "{sv}"), "PropertiesChanged");
  if (!strcmp(path, device) && !strcmp(interface, DEVICE) && find_property(message, "ServicesResolved")) {
    int value;
    check(sd_bus_message_read(message, "v", "b", &value), "ServicesResolved");
    is_resolved = value;
    subscribe();
  } else if (measurement[0] && !strcmp(path, measurement) && find_property(message, "Value")) {
    const void *bytes;
    size_t count;
    check(sd_bus_message_enter_container(message, 'v', "ay"), "Value");
    check(sd_bus_message_read_array(message, 'y', &bytes, &count), "Value");
    report(bytes, count);
  }
  return 0;
}

static void scan(void) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  check(sd_bus_call_method(bus, BLUEZ, ADAPTER_PATH, ADAPTER, "SetDiscoveryFilter", &error, NULL, "a{sv}", 2,
    "Transport", "s", "le", "UUIDs", "as", 1, SERVICE_UUID), "SetDiscoveryFilter");
  check(sd_bus_call_method(bus, BLUEZ, ADAPTER_PATH, ADAPTER, "StartDiscovery", &error, NULL, ""), "StartDiscovery");
  puts("scanning");
  fflush(stdout);
}

int main(void) {
  check(sd_bus_open_system(&bus), "the bus");
  check(sd_bus_match_signal(bus, NULL, BLUEZ, "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded", added, NULL), "a match");
  check(sd_bus_match_signal(bus, NULL, BLUEZ, NULL, "org.freedesktop.DBus.Properties", "PropertiesChanged", changed, NULL), "a match");
  scan();
  while (!is_finished)
    if (!check(sd_bus_process(bus, NULL), "the bus")) check(sd_bus_wait(bus, UINT64_MAX), "the bus");
  return 0;
}

# SPDX-License-Identifier: Apache-2.0
"""Faults that check-fhir-rules.py must find in a Bundle, each by the rule that is named."""
import copy
import decimal

from check_fhir_codes import LOINC, MDC, SNOMED, TERMINOLOGY

PROFILE = "http://hl7.org/fhir/StructureDefinition/"


def find(bundle, code):
    for entry in bundle["entry"]:
        if any(c["code"] == code for c in entry["resource"].get("code", {}).get("coding", [])):
            return entry
    raise SystemExit(f"self-test: the records lack an Observation of {code}")


def resource_of(code, change):
    return lambda bundle: change(find(bundle, code)["resource"])


def entry_of(code, change):
    return lambda bundle: change(find(bundle, code))


def component_of(panel, code, change):
    def mutate(bundle):
        for part in find(bundle, panel)["resource"]["component"]:
            if any(c["code"] == code for c in part["code"].get("coding", [])):
                return change(part)
        raise SystemExit(f"self-test: the records lack a component {code}")
    return mutate


def without_component(panel, code):
    def change(resource):
        resource["component"] = [part for part in resource["component"]
                                 if code not in [c["code"] for c in part["code"].get("coding", [])]]
    return resource_of(panel, change)


def set_code(system, code):
    def change(resource):
        for coding in resource["code"]["coding"]:
            if coding["system"] == system:
                coding["code"] = code
                return
    return change


def first(bundle, is_wanted):
    return next(r for r in (entry["resource"] for entry in bundle["entry"]) if is_wanted(r))


def with_comparator(change):
    return lambda bundle: change(first(bundle, lambda r: "comparator" in r.get("valueQuantity", {})))


def with_reason(old, new):
    def change(bundle):
        coding = first(bundle, lambda r: reason(r) == old)["dataAbsentReason"]["coding"][0]
        coding["code"] = new

    def reason(resource):
        return resource.get("dataAbsentReason", {}).get("coding", [{}])[0].get("code")
    return change


def with_status(old, new):
    def codings(resource):
        return [c for concept in resource.get("interpretation", []) for c in concept["coding"] if c["code"] == old]
    return lambda bundle: codings(first(bundle, codings))[0].update(code=new)


def of_record(log_id, change):
    return lambda bundle: change(first(
        bundle, lambda r: r["identifier"][0]["value"].startswith(log_id + "/")))


def shown_as(record, text, unit=None, code=None):
    """Writes the quantity that a device showed with other digits, or in another unit."""
    def change(resource):
        quantity = resource.get("valueQuantity") or resource["component"][0]["valueQuantity"]
        quantity.update(value=decimal.Decimal(text), unit=unit or quantity["unit"], code=code or quantity["code"])
    return of_record(record, change)


def of_metric(name, change):
    return resource_of(name, change)


def of_control_solution(bundle):
    entry = copy.deepcopy(find(bundle, "41653-7"))
    entry["fullUrl"] = "urn:uuid:00000000-0000-8000-8000-000000000000"
    entry["resource"]["identifier"][0]["value"] += "/2"
    entry["request"]["ifNoneExist"] = entry["request"]["ifNoneExist"].replace("&", "/2&")
    entry["resource"].setdefault("component", []).append({
        "code": {"coding": [{"system": "urn:santorio:tag", "code": "sample_type"}]},
        "valueString": "control_solution"})
    return entry


def codings(concept, old):
    return [coding for coding in concept.get("coding", []) if coding["code"] == old]


def replace_code(old, new):
    return lambda resource: codings(resource["code"], old)[0].update(code=new)


def drop_code(old):
    return lambda resource: resource["code"]["coding"].remove(codings(resource["code"], old)[0])


def of_site(code, change):
    return lambda bundle: change(first(bundle, lambda r: codings(r.get("bodySite", {}), code)))


def with_site(old, new):
    return of_site(old, lambda resource: codings(resource["bodySite"], old)[0].update(code=new))


def set_category(code):
    return lambda resource: resource["category"][0]["coding"][0].update(code=code)


def device_of(code, change):
    """Changes the device of the Observation with a LOINC code, which is contained or an entry of its own."""
    def changed(bundle):
        resource = find(bundle, code)["resource"]
        identifier = resource["device"].get("identifier")
        if not identifier:
            return change(resource["contained"][0])
        return change(first(bundle, lambda r: r["resourceType"] == "Device" and {
            "system": identifier["system"], "value": identifier["value"]} in r.get("identifier", [])))
    return changed


def set_device_type(code):
    return lambda device: device["type"]["coding"][0].update(code=code)


def contained(change):
    return lambda bundle: change(first(bundle, lambda r: r.get("contained")))


def with_meal(text, code):
    def change(bundle):
        for entry in bundle["entry"]:
            for part in entry["resource"].get("component", []):
                answer = part.get("valueCodeableConcept", {})
                if answer.get("text") == text:
                    answer["coding"] = [{"system": MDC, "code": code}]
                    return
        raise SystemExit(f"self-test: the records lack a meal {text}")
    return change


MUTATIONS = [
    ("required", "no status", resource_of("8867-4", lambda r: r.pop("status"))),
    ("binding", "a status that is none", resource_of("8867-4", lambda r: r.update(status="done"))),
    ("binding", "a Bundle of another type", lambda b: b.update(type="collection")),
    ("binding", "a method that is none", entry_of("8867-4", lambda e: e["request"].update(method="POTS"))),
    ("required", "no subject", resource_of("8867-4", lambda r: r.pop("subject"))),
    ("required", "no request", entry_of("8867-4", lambda e: e.pop("request"))),
    ("element", "an element of R5", resource_of("8867-4", lambda r: r.update(triggeredBy=[{"type": "reflex"}]))),
    ("element", "SampledData of R5", resource_of("55423-8", lambda r: r["valueSampledData"].update(interval=1))),
    ("element", "a Device of R5", device_of("85354-9", lambda d: d.update(displayName="x"))),
    ("element", "an empty list", resource_of("8867-4", lambda r: r.update(note=[]))),
    ("element", "one element instead of a list", resource_of("8867-4", lambda r: r.update(category=r["category"][0]))),
    ("element", "a null", resource_of("8867-4", lambda r: r.update(code=None))),
    ("choice", "two values", resource_of("8867-4", lambda r: r.update(valueString="x"))),
    ("format", "a time without offset", resource_of("8867-4", lambda r: r.update(effectiveDateTime="2020-01-01T10:00:00"))),
    ("format", "a time of 15 hours", resource_of("8867-4", lambda r: r.update(issued="2020-01-01T10:00:00+15:00"))),
    ("format", "a control character", resource_of("8867-4", lambda r: r.update(note=[{"text": "a\u0001"}]))),
    ("format", "an empty text", resource_of("8867-4", lambda r: r["code"].update(text=" "))),
    ("format", "a number as text", resource_of("8867-4", lambda r: r["valueQuantity"].update(value="61"))),
    ("format", "a fullUrl that is not a UUID", entry_of("8867-4", lambda e: e.update(fullUrl="urn:uuid:1"))),
    ("unique", "a repeated entry", lambda b: b["entry"].append(copy.deepcopy(b["entry"][0]))),
    ("condition", "no ifNoneExist", entry_of("8867-4", lambda e: e["request"].pop("ifNoneExist"))),
    ("condition", "a condition on something else", entry_of("8867-4", lambda e: e["request"].update(
        ifNoneExist="identifier=urn:santorio:log_id|x&subject=Patient/123"))),
    ("condition", "a condition on all patients", entry_of("8867-4", lambda e: e["request"].update(
        ifNoneExist=e["request"]["ifNoneExist"].partition("&")[0]))),
    ("condition", "an update of another patient", entry_of("55423-8", lambda e: e["request"].update(
        url=e["request"]["url"].replace("Patient/123", "Patient/124")))),
    ("condition", "a subject whose ampersand is not escaped", entry_of("8867-4", lambda e: (
        e["resource"]["subject"].update(reference="https://example.org/a&b"),
        e["request"].update(ifNoneExist=e["request"]["ifNoneExist"].replace(
            "Patient/123", "https://example.org/a&b"))))),
    ("condition", "an update without condition", entry_of("55423-8", lambda e: e["request"].update(url="Observation"))),
    ("condition", "an ampersand in the condition", entry_of("8867-4", lambda e: (
        e["resource"]["identifier"][0].update(value="a&b"),
        e["request"].update(ifNoneExist="identifier=urn:santorio:log_id|a&b&subject=Patient/123")))),
    ("effective", "no time", resource_of("8867-4", lambda r: r.pop("effectiveDateTime"))),
    ("effective", "an end before the start", resource_of("93832-4", lambda r: r["effectivePeriod"].update(start="2099-01-01T00:00:00Z"))),
    ("obs-6", "a value and why it is absent", resource_of("8867-4", lambda r: r.update(
        dataAbsentReason={"coding": [{"system": TERMINOLOGY + "data-absent-reason", "code": "unknown"}]}))),
    ("obs-7", "a component with the code of the Observation", resource_of("93832-4", lambda r: r["component"][0].update(code=r["code"]))),
    ("vs-2", "no value", resource_of("8867-4", lambda r: (r.pop("valueQuantity"), r.pop("component", None)))),
    ("vs-3", "a component without value", component_of("85354-9", "8462-4", lambda c: c.pop("valueQuantity"))),
    ("reference", "a device that is not contained", contained(lambda r: r.pop("contained"))),
    ("dom-3", "a contained device without reference", contained(lambda r: r.pop("device"))),
    ("reference", "a device that is not in the Bundle", resource_of("85354-9", lambda r: r["device"]["identifier"].update(
        value="none"))),
    ("reference", "an address in a batch", resource_of("85354-9", lambda r: r.update(
        device={"reference": "urn:uuid:00000000-0000-8000-8000-000000000000"}))),
    ("required", "a reference to nothing", resource_of("85354-9", lambda r: r.update(device={"display": "A"}))),
    ("reference", "a subject that is not a reference", resource_of("8867-4", lambda r: r["subject"].update(reference="John"))),
    ("code", "a LOINC code with a wrong digit", resource_of("41653-7", set_code(LOINC, "41653-8"))),
    ("code", "an invalid UCUM code", resource_of("4548-4", lambda r: r["valueQuantity"].update(code="percent"))),
    ("code", "an invalid interpretation", resource_of("14743-9", lambda r: r["interpretation"][0]["coding"][0].update(code="HIGH"))),
    ("code", "an invalid category", resource_of("41653-7", lambda r: r["category"][0]["coding"][0].update(code="lab"))),
    ("unit", "mmol/L as mg/dL", resource_of("14743-9", set_code(LOINC, "41653-7"))),
    ("unit", "another unit than the code's", resource_of("4548-4", lambda r: r["valueQuantity"].update(code="mg/dL"))),
    ("samples", "an invalid sample", resource_of("55423-8", lambda r: r["valueSampledData"].update(data="1 2 x 4 5"))),
    ("samples", "a period that does not divide the granularity", resource_of("55423-8", lambda r: r["valueSampledData"].update(period=7000))),
    ("samples", "a sample too few", resource_of("55423-8", lambda r: r["valueSampledData"].update(data="1 2 3"))),
    ("profile", "no claim of the profile", resource_of("8867-4", lambda r: r.pop("meta"))),
    ("profile", "a claim of another profile", resource_of("8867-4", lambda r: r["meta"].update(profile=[PROFILE + "bmi"]))),
    ("heartrate", "resting heart rate without the profile's code", resource_of("40443-4", set_code(LOINC, "40443-4"))),
    ("heartrate", "a vital sign of another category", resource_of("8867-4", lambda r: r["category"][0]["coding"][0].update(code="laboratory"))),
    ("heartrate", "a vital sign without a unit's text", resource_of("8867-4", lambda r: r["valueQuantity"].pop("unit"))),
    ("heartrate", "a vital sign that is a text", resource_of("8867-4", lambda r: (r.pop("valueQuantity"), r.update(valueString="60")))),
    ("oxygensat", "oxygen saturation without the profile's code", resource_of("59408-5", set_code(LOINC, "59408-5"))),
    ("bodyweight", "weight in stones", resource_of("29463-7", lambda r: r["valueQuantity"].update(code="[stone_av]"))),
    ("bodytemp", "temperature in kelvin", resource_of("8310-5", lambda r: r["valueQuantity"].update(code="K"))),
    ("bp", "no diastolic component", without_component("85354-9", "8462-4")),
    ("bp", "no systolic component", without_component("85354-9", "8480-6")),
    ("bp", "pressure in kPa", component_of("85354-9", "8480-6", lambda c: c["valueQuantity"].update(code="kPa"))),
    ("bp", "a panel with a value", resource_of("85354-9", lambda r: r.update(valueQuantity={"value": 1}))),
    ("complete", "a value that was changed", resource_of("41653-7", lambda r: r["valueQuantity"].update(value=5))),
    ("digits", "a zero that was shown and is lost", shown_as("shown-glucose", "5")),
    ("digits", "a zero that was not shown", shown_as("shown-fahrenheit", "98.60")),
    ("digits", "the zero of the usual unit is lost", shown_as("shown-celsius", "37")),
    ("digits", "mmol/L as mg/dL", shown_as("shown-glucose", "90.08", "mg/dL", "mg/dL")),
    ("digits", "Fahrenheit as Celsius", shown_as("shown-fahrenheit", "37.0", "°C", "Cel")),
    ("digits", "pounds as kilograms", shown_as("shown-pounds", "69.989", "kg", "kg")),
    ("digits", "a limit in another unit", shown_as("shown-glucose-hi", "599.92", "mg/dL", "mg/dL")),
    ("digits", "kPa as they were shown", shown_as("shown-kpa", "16.0", "kPa", "kPa")),
    ("digits", "stones as they were shown", shown_as("shown-stones", "11.5", "st", "[stone_av]")),
    ("unit", "ketone in the other unit of glucose", resource_of("66441-7", lambda r: r["valueQuantity"].update(code="mg/dL"))),
    ("unit", "a muscle in pounds", shown_as("shown-muscle", "70.00", "lb", "[lb_av]")),
    ("complete", "a bound without its sign", with_comparator(lambda r: r["valueQuantity"].pop("comparator"))),
    ("complete", "a HI that is a LO", with_reason("positive-infinity", "negative-infinity")),
    ("code", "a measurement status that is none", with_status("questionable", "doubtful")),
    ("codes", "blood in place of capillary blood", resource_of("41653-7", set_code(LOINC, "2339-0"))),
    ("profile", "a reading of a glucose monitor without its profile", resource_of("99504-3", lambda r: r.pop("meta"))),
    ("codes", "samples of a vital sign with its LOINC code", lambda bundle: first(
        bundle, lambda r: "valueSampledData" in r and codings(r["code"], "150456"))["code"]["coding"].append(
            {"system": LOINC, "code": "2708-6"})),
    ("codes", "glucose under the skin as that in blood", resource_of("99504-3", set_code(LOINC, "2339-0"))),
    ("codes", "a mean under the skin as one in blood", resource_of("97507-8", set_code(LOINC, "2339-0"))),
    ("codes", "tears as blood", of_record("glucose-tears", lambda r: r["code"]["coding"].insert(
        0, {"system": LOINC, "code": "2339-0"}))),
    ("codes", "control solution as blood", lambda b: b["entry"].append(of_control_solution(b))),
    ("codes", "an ear as an armpit", resource_of("76011-6", replace_code("76011-6", "8328-7"))),
    ("codes", "a site without its code", resource_of("8331-1", drop_code("8331-1"))),
    ("site", "a forehead as a finger", with_site("52795006", "7569003")),
    ("site", "a forehead that is not named", of_site("52795006", lambda r: r.pop("bodySite"))),
    ("site", "an armpit that is named twice", resource_of("8328-7", lambda r: r.update(
        bodySite={"coding": [{"system": SNOMED, "code": "7569003"}]}))),
    ("code", "a site that is none", with_site("52795006", "52795007")),
    ("codes", "RMSSD as SDNN", of_record("variability-ring", lambda r: r["code"]["coding"].insert(
        0, {"system": LOINC, "code": "80404-7"}))),
    ("codes", "a mean heart rate as one of a pedometer", resource_of("103205-1", set_code(LOINC, "8867-4"))),
    ("codes", "steps of a day as any steps", resource_of("41950-7", set_code(LOINC, "55423-8"))),
    ("codes", "a code for a waist", of_metric("body_waist", lambda r: r["code"]["coding"].insert(
        0, {"system": LOINC, "code": "8302-2"}))),
    ("category", "body fat as a vital sign", resource_of("41982-0", set_category("vital-signs"))),
    ("category", "glucose as an exam", resource_of("41653-7", set_category("exam"))),
    ("device", "a cuff as an oximeter", device_of("85354-9", set_device_type("528388"))),
    ("device", "a meter of INR without a type", device_of("46418-0", lambda d: d.pop("type"))),
    ("device", "a sensor under the skin as a meter", device_of("99504-3", set_device_type("528401"))),
    ("device", "a device with an identity that is contained", contained(lambda r: r["contained"][0].update(
        identifier=[{"system": "urn:santorio:device", "value": "1"}]))),
    ("device", "an identifier from the catalogue", resource_of("85354-9", lambda r: r["device"]["identifier"].update(
        system="urn:santorio:peripheral", value="2"))),
    ("meal", "a code for bedtime", with_meal("bedtime", "8417908")),
    ("meal", "before a meal as after it", with_meal("before", "8417872")),
    ("complete", "an Observation that is missing", lambda b: b["entry"].remove(find(b, "41653-7"))),
]

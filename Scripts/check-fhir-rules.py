#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gate 2: checks a Bundle of Observations for HL7 FHIR R4 (4.0.1) beyond its structure.

Checks elements and cardinalities of R4, formats of primitives, required bindings, invariants of Observation,
the profiles of vital signs, units by LOINC code, references, identifiers, conditional requests; that every
value of the records is in the Bundle, with the digits that a device showed; and, by check_fhir_codes.py, that it has
the codes that it should have.

usage: check-fhir-rules.py BUNDLE.json RECORDS.ndjson
       check-fhir-rules.py --self-test BUNDLE.json RECORDS.ndjson
"""
import copy
import datetime
import decimal
import json
import re
import sys
from urllib.parse import unquote

sys.dont_write_bytecode = True
from check_fhir_codes import LOINC, MDC, METRIC, SITES, SNOMED, TERMINOLOGY, CodeCheck  # noqa: E402
from check_fhir_faults import MUTATIONS  # noqa: E402
from check_fhir_guides import GuideCheck  # noqa: E402

UCUM = "http://unitsofmeasure.org"
PROFILE = "http://hl7.org/fhir/StructureDefinition/"
LOG_ID = "urn:santorio:log_id"

# The elements in R4 of the types that are used, with their types; "*" marks a list. Elements that R4B or R5
# added (Observation.triggeredBy, Device.displayName, SampledData.interval, Bundle.issues, …) are left out.
VALUES = {
    "valueQuantity": "Quantity", "valueCodeableConcept": "CodeableConcept", "valueString": "string",
    "valueBoolean": "boolean", "valueInteger": "integer", "valueSampledData": "SampledData",
    "valueDateTime": "dateTime", "valueTime": "time", "valuePeriod": "Period",
}
TYPES = {
    "Bundle": {"resourceType": "code", "id": "id", "meta": "Meta", "type": "code", "timestamp": "instant",
               "identifier": "Identifier", "entry": "*Entry"},
    "Entry": {"fullUrl": "uri", "resource": "Resource", "request": "Request"},
    "Request": {"method": "code", "url": "uri", "ifNoneMatch": "string", "ifModifiedSince": "instant",
                "ifMatch": "string", "ifNoneExist": "string"},
    "Observation": {
        "resourceType": "code", "id": "id", "meta": "Meta", "implicitRules": "uri", "language": "code",
        "contained": "*Resource", "identifier": "*Identifier", "basedOn": "*Reference", "partOf": "*Reference",
        "status": "code", "category": "*CodeableConcept", "code": "CodeableConcept", "subject": "Reference",
        "focus": "*Reference", "encounter": "Reference", "effectiveDateTime": "dateTime",
        "effectivePeriod": "Period", "effectiveInstant": "instant", "issued": "instant",
        "performer": "*Reference", **VALUES, "dataAbsentReason": "CodeableConcept",
        "interpretation": "*CodeableConcept", "note": "*Annotation", "bodySite": "CodeableConcept",
        "method": "CodeableConcept", "specimen": "Reference", "device": "Reference",
        "hasMember": "*Reference", "derivedFrom": "*Reference", "component": "*Component",
        "extension": "*Extension", "_effectiveDateTime": "Extended"},
    "Component": {"code": "CodeableConcept", **VALUES, "dataAbsentReason": "CodeableConcept",
                  "interpretation": "*CodeableConcept"},
    "Device": {
        "resourceType": "code", "id": "id", "meta": "Meta", "identifier": "*Identifier", "status": "code",
        "_manufacturer": "Extended", "_modelNumber": "Extended", "specialization": "*Specialization",
        "distinctIdentifier": "string", "manufacturer": "string", "lotNumber": "string",
        "serialNumber": "string", "deviceName": "*DeviceName", "modelNumber": "string",
        "partNumber": "string", "type": "CodeableConcept", "version": "*DeviceVersion",
        "property": "*DeviceProperty", "note": "*Annotation"},
    "DeviceName": {"name": "string", "type": "code"},
    "DeviceVersion": {"type": "CodeableConcept", "component": "Identifier", "value": "string", "_value": "Extended"},
    "Specialization": {"systemType": "CodeableConcept", "version": "string"},
    "Extended": {"extension": "*Extension"},
    "Extension": {"url": "uri", "valueCode": "code", "valueReference": "Reference"},
    "DeviceProperty": {"type": "CodeableConcept", "valueQuantity": "*Quantity",
                       "valueCode": "*CodeableConcept"},
    "Meta": {"versionId": "id", "lastUpdated": "instant", "source": "uri", "profile": "*uri",
             "security": "*Coding", "tag": "*Coding"},
    "CodeableConcept": {"coding": "*Coding", "text": "string"},
    "Coding": {"system": "uri", "version": "string", "code": "code", "display": "string",
               "userSelected": "boolean"},
    "Identifier": {"use": "code", "type": "CodeableConcept", "system": "uri", "value": "string",
                   "period": "Period"},
    "Reference": {"reference": "string", "type": "uri", "identifier": "Identifier", "display": "string"},
    "Quantity": {"value": "decimal", "comparator": "code", "unit": "string", "system": "uri", "code": "code"},
    "SampledData": {"origin": "Quantity", "period": "decimal", "factor": "decimal", "lowerLimit": "decimal",
                    "upperLimit": "decimal", "dimensions": "integer", "data": "string"},
    "Period": {"start": "dateTime", "end": "dateTime"},
    "Annotation": {"authorString": "string", "time": "dateTime", "text": "string"},
}
REQUIRED = {
    "Bundle": ["type"], "Entry": ["fullUrl", "resource", "request"], "Request": ["method", "url"],
    "Observation": ["status", "code", "subject", "identifier"], "Component": ["code"],
    "DeviceName": ["name", "type"], "DeviceProperty": ["type"],
    "Coding": ["system", "code"], "Identifier": ["system", "value"],
    "Quantity": ["value"], "SampledData": ["origin", "period", "dimensions", "data"],
    "Annotation": ["text"], "Period": ["start", "end"],
}
# A time of day always has an offset (R4, datatypes: dateTime).
TIME = (r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?"
        r"(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00))")
FORMATS = {
    "dateTime": TIME, "instant": TIME, "code": r"[^\s]+( [^\s]+)*", "uri": r"\S+",
    "id": r"[A-Za-z0-9.-]{1,64}", "string": r"(?s)(?=.*\S)[^\x00-\x08\x0b\x0c\x0e-\x1f]+",
}
NUMBERS = {"decimal": (int, decimal.Decimal), "integer": (int,), "boolean": (bool,)}

BINDINGS = {
    ("Observation", "status"): {"registered", "preliminary", "final", "amended", "corrected", "cancelled",
                                "entered-in-error", "unknown"},
    ("Bundle", "type"): {"batch", "transaction"},
    ("Request", "method"): {"POST", "PUT"},
    ("Quantity", "comparator"): {"<", "<=", ">=", ">"},
    ("Identifier", "use"): {"usual", "official", "temp", "secondary", "old"},
    ("DeviceName", "type"): {"udi-label-name", "user-friendly-name", "patient-reported-name",
                             "manufacturer-name", "model-name", "other"},
}
CODES = {
    "http://hl7.org/fhir/uv/phd/CodeSystem/PhdObservationCategories": {"phd"},
    TERMINOLOGY + "observation-category": {"social-history", "vital-signs", "imaging", "laboratory", "procedure",
                                           "survey", "exam", "therapy", "activity"},
    TERMINOLOGY + "data-absent-reason": {"unknown", "asked-unknown", "temp-unknown", "not-asked",
                                         "asked-declined", "masked", "not-applicable", "unsupported", "as-text",
                                         "error", "not-a-number", "negative-infinity", "positive-infinity",
                                         "not-performed", "not-permitted"},
    TERMINOLOGY + "v3-ObservationInterpretation": {"A", "AA", "H", "HH", "L", "LL", "N", "<", ">"},
    # The codes of HL7's guide for point-of-care devices that the one for personal health devices names.
    "http://hl7.org/fhir/uv/pocd/CodeSystem/measurement-status": {
        "questionable", "early-indication", "calibration-ongoing"},
}
OWN_SYSTEMS = {"urn:santorio:" + name for name in
               ("metric", "record", "tag", "note", "extra", "value", "origin", "device", "peripheral", "category", "time")}

# UCUM codes that may be written; all are case-sensitive and valid. Annotations in braces are of unit 1.
UCUM_CODES = set(
    "% /min Cel mm[Hg] kPa mg/dL mmol/L ug/dL kg g mg ug [lb_av] [stone_av] [oz_av] m cm km [in_i] [ft_i] "
    "[mi_i] [degF] L mL [foz_us] kcal kcal/d kJ W d h min s ms m/s km/h s/km kg/m2 mL/kg/min L/s L/min "
    "mg/L ug/L ng/mL pg/mL ng/dL meq/L U/L m[IU]/L [IU] /uL 1 "
    "{INR} {steps} {floors} {count} {hours} {pushes} {laps} {score} Ohm".split())

# The unit of each LOINC code that is written. A code missing here is a fault: look it up and add it.
UNITS = {code: unit for unit, codes in {
    "mm[Hg]": "8480-6 8462-4 8478-0", "/min": "8867-4 40443-4 103205-1 103222-6 101692-2 9279-1",
    "Cel": "8310-5 8328-7 8331-1 8332-9 8333-7 76011-6", "cm": "8302-2", "d": "104636-6",
    "%": "2708-6 59408-5 103209-3 61006-3 4548-4 41982-0 73965-6 101684-9 101686-4 97506-0 104638-2 104637-4 19926-5",
    "kg": "29463-7 73708-0 91557-9 73964-9 101683-1", "kg/m2": "39156-5", "{INR}": "46418-0",
    "mg/dL": "2339-0 41653-7 41652-9 41651-1 2345-7 99504-3 97507-8 1558-6 2571-8 2093-3 2085-9 2089-1 17861-6 "
             "19123-9 3084-1",
    "mmol/L": "15074-8 14743-9 39480-9 39481-7 14749-6 105272-9 105273-7 14771-0 66441-7",
    "ng/mL": "1986-9 2284-8 2276-4", "meq/L": "2823-3 2951-2",
    "pg/mL": "2132-9 26881-3", "ug/dL": "5763-8", "U/L": "2157-6", "mg/L": "1988-5 30522-7", "ng/dL": "2986-8",
    "m[IU]/L": "3016-3", "/uL": "26464-8", "{steps}": "41950-7 55423-8", "{floors}": "100304-5", "m": "55430-3",
    "kcal": "55424-6 93819-1 9052-2", "ms": "80404-7",
    "s": "55411-3 93832-4 93831-6 93830-8 93829-0 103210-1 103212-7 46417-2",
    "L": "20150-9 19868-9", "L/min": "33452-4", "mL/kg/min": "94122-9",
}.items() for code in codes.split()}
PANELS = {"85354-9", "73985-4"}
# The units besides, which the profiles of R4 take and a device may show.
OTHER_UNITS = {unit: codes.split() for unit, codes in {
    "[degF]": "8310-5 8328-7 8331-1 8332-9 8333-7 76011-6", "[lb_av]": "29463-7"}.items()}

# In which unit a metric is written that a device showed in a unit of records; in any other it is converted.
SHOWN = {(metric, unit): ucum for metrics, units in {
    "blood_glucose avg_blood_glucose": {"mg/dL": "mg/dL", "mmol/L": "mmol/L"}, "blood_ketone": {"mmol/L": "mmol/L"},
    "body_temperature": {"°C": "Cel", "°F": "[degF]"}, "body_weight": {"kg": "kg", "lb": "[lb_av]"},
    "body_fat_mass body_lean_mass body_muscle_mass": {"kg": "kg"},
    "systolic diastolic mean_arterial_pressure": {"mmHg": "mm[Hg]"},
}.items() for metric in metrics.split() for unit, ucum in units.items()}

# Which profile a validator applies by the LOINC codes (HL7's validator does so whether it is claimed or not),
# with the code that the profile demands and its units.
PROFILES = {
    "resprate": ("9279-1", {"/min"}, "9279-1 76170-0 76172-6 76171-8 19840-8 33438-3 76270-8 11291-2"),
    "heartrate": ("8867-4", {"/min"}, "60978-4 73795-7 73799-9 76476-1 76477-9 8867-4 8889-8 8890-6 8891-4 8892-2 "
                                      "8893-0 40443-4 55425-3 68999-2 11328-2 69000-8 8886-4"),
    "oxygensat": ("2708-6", {"%"}, "2708-6 19224-5 20564-1 2709-4 2710-2 2713-6 51733-4 59408-5 59417-6 89276-0 "
                                   "97549-0"),
    "bodytemp": ("8310-5", {"Cel", "[degF]"}, "8310-5 60834-9 60835-6 60836-4 60838-0 60955-2 61009-7 75539-7 "
                                              "75987-8 76010-8 76011-6 76278-1 8309-7 8328-7 8329-5 8330-3 8331-1 "
                                              "8332-9 8333-7 8334-5 91371-5 98657-0 98663-8"),
    "bodyheight": ("8302-2", {"cm", "[in_i]"}, "8302-2 3137-7 3138-5 8306-3 8308-9"),
    "bodyweight": ("29463-7", {"g", "kg", "[lb_av]"}, "29463-7 3141-9 3142-7 75292-3 79348-9 8350-1 8351-9"),
    "bmi": ("39156-5", {"kg/m2"}, "39156-5 89270-3"),
    "bp": ("85354-9", {"mm[Hg]"}, "85354-9 35094-2 8459-0 76534-7 55284-4 8480-6"),
}


class Check:
    """Faults of a Bundle, each with the name of its rule and its place."""

    def __init__(self, bundle, records):
        self.faults = []
        self.bundle = bundle
        self.records = records
        self.counts = {"resources": 0, "vital signs": 0, "readings of glucose monitors": 0, "identifiers of the guide": 0, "elements": 0, "values of records": 0, "shown values": 0}
        self.walk("Bundle", bundle, "Bundle")
        if not self.faults:  # the checks below rely on the structure
            self.requests()
            codes = CodeCheck(self.expect, records, bundle)
            guides = GuideCheck(self.expect, records, bundle, self.counts)
            for index, entry in enumerate(bundle.get("entry", [])):
                resource, place = entry["resource"], f"entry[{index}]"
                if of_records(resource):
                    self.observation(resource, place)
                    codes.observation(resource, place)
                    guides.observation(resource, place)
                elif resource["resourceType"] == "Observation":
                    self.references(resource, place)
            self.completeness()

    def fault(self, rule, place, text):
        self.faults.append(f"{rule}: {place}: {text}")

    def expect(self, true, rule, place, text):
        if not true:
            self.fault(rule, place, text)

    # Structure

    def walk(self, kind, value, place):
        if kind == "Resource":
            kind = value.get("resourceType") if isinstance(value, dict) else None
            if kind not in ("Observation", "Device"):
                return self.fault("element", place, f"unexpected kind of resource: {kind}")
        if kind not in TYPES:
            return self.primitive(kind, value, place)
        if not isinstance(value, dict) or not value:
            return self.fault("element", place, "an object with members is expected")
        for name in REQUIRED.get(kind, []):
            self.expect(name in value, "required", place, f"{name} is missing")
        if kind == "Reference":
            self.expect("reference" in value or "identifier" in value, "required", place, "it refers to nothing")
        if kind == "DeviceVersion":
            self.expect("value" in value or "_value" in value, "required", place, "value is missing")
        for name, member in value.items():
            self.member(kind, name, member, f"{place}.{name}")
        choices = [name for name in value if name in VALUES]
        self.expect(kind == "DeviceProperty" or len(choices) <= 1, "choice", place, f"several values: {choices}")
        return None

    def member(self, kind, name, member, place):
        self.counts["elements"] += 1
        expected = TYPES[kind].get(name)
        if expected is None:
            return self.fault("element", place, "R4 has no such element")
        if not expected.startswith("*"):
            self.walk(expected, member, place)
        elif not isinstance(member, list) or not member:
            self.fault("element", place, "a list with elements is expected")
        else:
            for index, element in enumerate(member):
                self.walk(expected[1:], element, f"{place}[{index}]")
        allowed = BINDINGS.get((kind, name))
        self.expect(allowed is None or member in allowed, "binding", place, f"not a code of the value set: {member}")
        return None

    def primitive(self, kind, value, place):
        if kind in NUMBERS:
            right = isinstance(value, NUMBERS[kind]) and (kind == "boolean" or not isinstance(value, bool))
            return self.expect(right, "format", place, f"not a valid {kind}")
        right = isinstance(value, str) and re.fullmatch(FORMATS[kind], value)
        return self.expect(right, "format", place, f"not a valid {kind}")

    # Requests

    def requests(self):
        urls, identifiers = set(), set()
        self.urls = {entry["fullUrl"]: entry["resource"] for entry in self.bundle.get("entry", [])}
        self.identities = {(identifier["system"], identifier["value"]): resource["resourceType"]
                           for resource in self.urls.values() for identifier in resource.get("identifier", [])}
        for index, entry in enumerate(self.bundle.get("entry", [])):
            place = f"entry[{index}]"
            self.expect(entry["fullUrl"] not in urls, "unique", place, "fullUrl is repeated")
            uuid = r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
            self.expect(re.fullmatch(uuid, entry["fullUrl"]), "format", place, "fullUrl is not a UUID of RFC 4122")
            urls.add(entry["fullUrl"])
            for identifier in entry["resource"].get("identifier", []):
                key = (identifier["system"], identifier["value"])
                self.expect(key not in identifiers, "unique", place, "the identifier is repeated")
                identifiers.add(key)
            self.condition(entry, place)

    def condition(self, entry, place):
        request = entry["request"]
        address, _, query = request["url"].partition("?")
        kind = entry["resource"]["resourceType"]
        self.expect(address == kind, "condition", place, f"the request is not for {kind}")
        if request["method"] == "PUT":
            self.expect("ifNoneExist" not in request, "condition", place, "ifNoneExist is for POST alone")
        else:
            self.expect(not query, "condition", place, "POST takes no search")
            query = request.get("ifNoneExist", "")
        self.search(query, entry["resource"], place)

    def search(self, query, resource, place):
        """The search `identifier=SYSTEM|VALUE&subject=REFERENCE`: the sender may have many patients."""
        identifier = resource["identifier"][0]
        if not of_records(resource):
            value = unescaped(query.partition("|")[2])
            right = query.startswith(f"identifier={identifier['system']}|") and value == identifier["value"]
            return self.expect(right, "condition", place, "the condition does not find the identifier")
        named, _, subject = query.partition("&")
        system, _, value = named.removeprefix("identifier=").partition("|")
        value = unescaped(value)
        right = (system, value) == (identifier["system"], identifier["value"]) == (LOG_ID, value)
        self.expect(right, "condition", place, "the condition does not find the identifier")
        right = subject.startswith("subject=") and unescaped(subject[8:]) == resource["subject"]["reference"]
        self.expect(right, "condition", place, "the condition does not find the subject")
        escaped = re.fullmatch(r"[!-~]*", query) and not re.search(r"[&#+\"]", named + subject)
        return self.expect(escaped, "condition", place, "a character of the condition is not escaped")

    # Observations

    def observation(self, resource, place):
        self.counts["resources"] += 1
        loincs = {c["code"] for c in resource["code"].get("coding", []) if c["system"] == LOINC}
        self.codings(resource, place)
        self.effective(resource, place)
        self.invariants(resource, place)
        self.references(resource, place)
        self.measured(resource["code"], resource, place)
        for index, part in enumerate(resource.get("component", [])):
            self.measured(part["code"], part, f"{place}.component[{index}]")
        self.profile(resource, loincs, place)

    def codings(self, value, place):
        if isinstance(value, list):
            for index, element in enumerate(value):
                self.codings(element, f"{place}[{index}]")
        elif isinstance(value, dict):
            if "system" in value and "code" in value:
                self.coding(value["system"], value["code"], place)
            for name, member in value.items():
                self.codings(member, f"{place}.{name}")

    def coding(self, system, code, place):
        if system == LOINC:
            self.expect(check_digit(code), "code", place, f"not a LOINC code: {code}")
            self.expect(code in UNITS or code in PANELS, "code", place, f"unknown LOINC code: {code}")
        elif system == UCUM:
            self.expect(code in UCUM_CODES, "code", place, f"unknown UCUM code: {code}")
        elif system in CODES:
            self.expect(code in CODES[system], "code", place, f"not a code of {system}: {code}")
        elif system == SNOMED:
            self.expect(code in SITES.values(), "code", place, f"not the code of a site: {code}")
        elif system == MDC:
            self.expect(code.isdigit() and 65536 <= int(code) < 1 << 24, "code", place, f"not an MDC code: {code}")
        else:
            self.expect(system in OWN_SYSTEMS, "code", place, f"unknown code system: {system}")

    def effective(self, resource, place):
        given = [name for name in resource if name.removeprefix("_").startswith("effective")]
        self.expect(len(given) == 1, "effective", place, "one effective[x] is expected")
        period = resource.get("effectivePeriod")
        if period:
            self.expect(moment(period["start"]) <= moment(period["end"]), "effective", place, "ends before it starts")

    def invariants(self, resource, place):
        for item, where in [(resource, place)] + [(c, place + ".component") for c in resource.get("component", [])]:
            has_value = any(name in item for name in VALUES)
            self.expect(not (has_value and "dataAbsentReason" in item), "obs-6", where, "a value and why it is absent")
            if item is not resource:
                self.expect(has_value or "dataAbsentReason" in item, "vs-3", where, "neither value nor reason")
        own = {(c["system"], c["code"]) for c in resource["code"].get("coding", [])}
        parts = {(c["system"], c["code"]) for p in resource.get("component", []) for c in p["code"].get("coding", [])}
        if any(name in resource for name in VALUES):
            self.expect(not own & parts, "obs-7", place, "a component has the code of the whole, which has a value")
        given = any(name in resource for name in (*VALUES, "dataAbsentReason", "component", "hasMember"))
        self.expect(given, "vs-2", place, "the Observation has no value")

    def references(self, resource, place):
        contained = {"#" + r["id"]: r["resourceType"] for r in resource.get("contained", []) if "id" in r}
        self.expect(len(contained) == len(resource.get("contained", [])), "dom-3", place, "a contained id is missing")
        device = resource.get("device", {}).get("reference", "")
        if device.startswith("#"):
            self.expect(contained.get(device) == "Device", "reference", place, "the device is not contained")
        kinds = [("Device", resource[name]) for name in ("device",) if name in resource]
        kinds += [("Observation", reference) for reference in resource.get("derivedFrom", [])]
        for kind, reference in kinds:
            self.refers(kind, reference, place)
        for extension in resource.get("extension", []):
            kind = "Device" if extension["url"].endswith("gatewayDevice") else "Observation"
            self.refers(kind, extension["valueReference"], place)
        self.expect(set(contained) <= {device}, "dom-3", place, "what is contained is not referred to")
        for reference in [resource["subject"], *resource.get("performer", [])]:
            right = re.fullmatch(r"([A-Z]\w+/[A-Za-z0-9.-]{1,64})|(https?://\S+)|(urn:(uuid|oid):\S+)",
                                 reference["reference"])
            self.expect(right, "reference", place, "no literal reference")

    def refers(self, kind, reference, place):
        """A reference by address or by identifier finds a resource of the Bundle; an address only in a transaction."""
        address, identifier = reference.get("reference", ""), reference.get("identifier")
        if identifier:
            found = self.identities.get((identifier["system"], identifier["value"]))
            self.expect(found == kind == reference.get("type"), "reference", place, f"no {kind} has the identifier")
        elif not address.startswith("#"):
            found = self.urls.get(address, {}).get("resourceType")
            self.expect(found == kind, "reference", place, f"no {kind} has the address")
            right = self.bundle["type"] == "transaction"
            self.expect(right, "reference", place, "the entries of a batch cannot refer to each other")

    def measured(self, code, item, place):
        """The unit of a value, by the LOINC code of what was measured."""
        quantity = item.get("valueQuantity") or item.get("valueSampledData", {}).get("origin")
        for coding in code.get("coding", []):
            if quantity and coding["system"] == LOINC and coding["code"] not in PANELS:
                right = quantity.get("system") == UCUM and (
                    quantity.get("code") == UNITS.get(coding["code"])
                    or coding["code"] in OTHER_UNITS.get(quantity.get("code"), []))
                self.expect(right, "unit", place, f"not in the unit of {coding['code']}: {quantity.get('code')}")
        if quantity and "code" in quantity:
            self.expect(quantity.get("system") == UCUM and "unit" in quantity, "unit", place, "a code without system or unit")
        samples = item.get("valueSampledData")
        if samples:
            self.samples(samples, item, place)

    def samples(self, samples, resource, place):
        tokens = samples["data"].split(" ")
        right = all(re.fullmatch(r"E|U|L|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", token) for token in tokens)
        self.expect(right, "samples", place, "data is not a list of decimals")
        period = resource.get("effectivePeriod")
        span = moment(period["end"]) - moment(period["start"]) if period else datetime.timedelta()
        # The samples' period divides the granularity, and the last sample lasts as long as the granularity.
        interval = self.granularity(resource)
        self.expect(interval % samples["period"] == 0, "samples", place, "the period does not divide the granularity")
        filled = (len(tokens) - 1) * samples["period"] + interval
        self.expect("_effectiveDateTime" in resource or span.total_seconds() * 1000 == filled, "samples", place, "the samples do not fill the time")

    def granularity(self, resource):
        """The granularity of the record that a series belongs to, in milliseconds."""
        identifier = resource["identifier"][0]["value"]
        given = next((record["granularity"] for record in self.records
                      if identifier.startswith(record["log_id"] + "/") and record.get("granularity")), None)
        return given["interval"] * {"s": 1, "m": 60, "h": 3600}[given["unit"][0]] * 1000 if given else 0

    # Profiles of vital signs

    def profile(self, resource, loincs, place):
        implied = [name for name, (_, _, codes) in PROFILES.items() if loincs & set(codes.split())]
        claimed = [url.removeprefix(PROFILE) for url in resource.get("meta", {}).get("profile", [])
                   if url.startswith(PROFILE)]  # gate 3 knows the profiles of the guides
        if "_effectiveDateTime" in resource:  # the profiles demand a date
            implied = []
        self.expect(implied == claimed, "profile", place, f"claims {claimed}, its codes imply {implied}")
        for name in implied:
            self.vital_sign(resource, name, loincs, place)

    def vital_sign(self, resource, name, loincs, place):
        self.counts["vital signs"] += 1
        code, units, _ = PROFILES[name]
        self.expect(code in loincs, name, place, f"the code {code} is required")
        categories = [c["code"] for concept in resource.get("category", []) for c in concept["coding"]
                      if c["system"] == TERMINOLOGY + "observation-category"]
        self.expect(categories.count("vital-signs") == 1, name, place, "the category vital-signs is demanded")
        values = [value for value in VALUES if value in resource]
        if name == "bp":
            self.expect(not values, name, place, "the panel has no value of its own")
            self.pressures(resource, units, place)
        elif values or "dataAbsentReason" not in resource:
            self.quantity(resource, units, name, place)

    def pressures(self, resource, units, place):
        for code in ("8480-6", "8462-4"):
            parts = [part for part in resource.get("component", [])
                     if (LOINC, code) in [(c["system"], c["code"]) for c in part["code"].get("coding", [])]]
            self.expect(len(parts) == 1, "bp", place, f"one component {code} is required")
            for part in parts:
                if "dataAbsentReason" not in part:
                    self.quantity(part, units, "bp", f"{place} {code}")

    def quantity(self, item, units, name, place):
        quantity = item.get("valueQuantity", {})
        right = {"value", "unit", "system", "code"} <= set(quantity) and quantity["system"] == UCUM
        self.expect(right and quantity["code"] in units, name, place, f"a quantity in {sorted(units)} is required")

    # Completeness

    def completeness(self):
        given = {}
        for entry in self.bundle.get("entry", []):
            resource = entry["resource"]
            if not of_records(resource):
                continue
            for item in [resource, *resource.get("component", [])]:
                for coding in item["code"].get("coding", []):
                    if coding["system"] == METRIC:
                        key = (resource["identifier"][0]["value"], coding["code"])
                        given.setdefault(key, []).extend(numbers(item))
        for record in self.records:
            for metric in record["metrics"]:
                self.check_values(record["log_id"], with_bound(metric, record), given)
                if "shown" in metric:
                    self.digits(record["log_id"], metric)

    def digits(self, log_id, metric):
        """What a device showed is the quantity digit by digit, or the quantity is in the usual unit."""
        self.counts["shown values"] += 1
        found = [(decimal.Decimal(item["valueQuantity"]["value"]).as_tuple(), item["valueQuantity"].get("code"))
                 for entry in self.bundle["entry"] if identifies(entry["resource"], log_id)
                 for item in [entry["resource"], *entry["resource"].get("component", [])]
                 if "valueQuantity" in item and (METRIC, metric["type"]) in codings(item["code"])]
        shown, wanted = metric["shown"], SHOWN.get((metric["type"], metric["shown"]["unit"]))
        right = (decimal.Decimal(shown["value"]).as_tuple(), wanted) in found if wanted else {
            code for _, code in found} == {SHOWN.get((metric["type"], metric["unit"]))}
        self.expect(right, "digits", log_id, f"{shown['value']} {shown['unit']} as {found}")

    def check_values(self, log_id, metric, given):
        code = " ".join(re.sub(r"[\x00-\x1f\x7f]", " ", metric["type"]).split())
        found = [number for (identifier, name), all_numbers in given.items() for number in all_numbers
                 if name == code and (identifier == log_id or identifier.startswith(log_id + "/"))]
        points = metric.get("data_points", []) + metric.get("reading_log", [])
        for item in points + ([metric] if "value" in metric or "absent" in metric else []):
            self.counts["values of records"] += 1
            sign = COMPARATORS.get(item.get("bound"))
            if "absent" in item:
                near = ABSENCES[item["absent"]] in [number for number, _, _ in found]
            else:
                near = [number for number, unit, comparator in found
                        if ((unit or "").lower() != metric["unit"].lower() or number == item["value"]) and comparator == sign]
            self.expect(near, "complete", log_id, f"a value of {metric['type']} is not in the Bundle")


def with_bound(metric, record):
    """A metric with the bound that a finding of its record says, where it has none of its own."""
    ranges = {"low": "below", "high": "above"}
    found = [ranges.get(tag["value"]) for tag in record.get("tags", []) if tag["name"] == "out_of_bounds_blood_glucose"]
    if metric["type"] != "blood_glucose" or "value" not in metric or "bound" in metric or not any(found):
        return metric
    return {**metric, "bound": found[0]}


def of_records(resource):
    """Whether it is an Observation of a record, and neither a device nor what a device's clock showed."""
    return resource["resourceType"] == "Observation" and resource["identifier"][0]["system"] == LOG_ID


def identifies(resource, log_id):
    return resource["identifier"][0]["value"].startswith(log_id + "/")


def codings(concept):
    return {(coding["system"], coding["code"]) for coding in concept.get("coding", [])}


COMPARATORS = {"below": "<", "above": ">"}
# What a value means that is a code.
CODED_VALUES = {"unspecified": 1, "light": 2, "medium": 3, "heavy": 4, "none": 5, "present": 1, "dry": 1, "sticky": 2,
                "creamy": 3, "watery": 4, "egg_white": 5, "negative": 1, "luteinizing_hormone_surge": 2, "indeterminate": 3,
                "estrogen_surge": 4}
ABSENCES = {"below_range": "negative-infinity", "above_range": "positive-infinity", "unknown": "unknown"}


def numbers(item):
    """Numbers with unit and comparator; of a value that is absent, the reason in place of the number."""
    quantity, samples = item.get("valueQuantity"), item.get("valueSampledData")
    if quantity:
        return [(float(quantity["value"]), quantity.get("unit"), quantity.get("comparator"))]
    if "valueCodeableConcept" in item:
        return [(CODED_VALUES.get(code), "code", None) for system, code in codings(item["valueCodeableConcept"])]
    if "dataAbsentReason" in item:
        return [(item["dataAbsentReason"]["coding"][0]["code"], None, None)]
    if samples:
        return [(float(t), samples["origin"].get("unit"), None)
                for t in samples["data"].split(" ") if re.fullmatch(r"[-+.eE\d]*\d", t)]
    return []


def unescaped(text):
    """The value of a search parameter, without URL and FHIR escapes."""
    return re.sub(r"\\(.)", r"\1", unquote(text))


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def check_digit(code):
    """Whether the last digit of a LOINC code is right (modulo 10, as of bank cards)."""
    match = re.fullmatch(r"(\d{1,7})-(\d)", code)
    if not match:
        return False
    doubled = [int(d) * (2 - i % 2) for i, d in enumerate(reversed(match[1]))]
    return sum(n - 9 if n > 9 else n for n in doubled) % 10 == (10 - int(match[2])) % 10


def self_test(bundle, records):
    missed = 0
    for rule, name, mutate in MUTATIONS:
        mutated = copy.deepcopy(bundle)
        mutate(mutated)
        found = Check(mutated, records).faults
        if not any(fault.startswith(rule + ":") for fault in found):
            missed += 1
            print(f"self-test: {name} is not found by '{rule}'; found: {found[:3]}", file=sys.stderr)
    print(f"gate 2, self-test: {len(MUTATIONS) - missed} of {len(MUTATIONS)} faults found")
    return missed


def main():
    names = [argument for argument in sys.argv[1:] if argument != "--self-test"]
    if len(names) != 2:
        raise SystemExit(__doc__)
    with open(names[0], encoding="utf-8") as file:
        bundle = json.load(file, parse_float=decimal.Decimal)
    with open(names[1], encoding="utf-8") as file:
        records = [json.loads(line) for line in file if line.strip()]
    check = Check(bundle, records)
    for fault in check.faults:
        print(f"rules: {fault}", file=sys.stderr)
    counts = ", ".join(f"{count} {name}" for name, count in check.counts.items())
    print(f"gate 2: {counts}; {len(check.faults)} faults")
    missed = self_test(bundle, records) if "--self-test" in sys.argv and not check.faults else 0
    return 1 if check.faults or missed else 0


if __name__ == "__main__":
    sys.exit(main())

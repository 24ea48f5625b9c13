# SPDX-License-Identifier: Apache-2.0
"""The codes that an Observation of a record must have, written down apart from the Swift code.

Sources: hl7.org/fhir/R4/observation-vitalsigns.html, hl7.org/fhir/uv/phd, hl7.org/fhir/uv/cgm, and loinc.org's and
snomed.info's pages of the codes.
"""
LOINC = "http://loinc.org"
MDC = "urn:iso:std:iso:11073:10101"
SNOMED = "http://snomed.info/sct"
METRIC = "urn:santorio:metric"
TAG = "urn:santorio:tag"
TERMINOLOGY = "http://terminology.hl7.org/CodeSystem/"

# LOINC by metric, where nothing else decides; for a vital sign first the code that its profile demands.
CODES = {
    "systolic": "8480-6", "diastolic": "8462-4", "mean_arterial_pressure": "8478-0", "spo2": "2708-6 59408-5",
    "avg_spo2": "103209-3", "perfusion_index": "61006-3", "inr": "46418-0", "pt": "46417-2", "pulse": "8867-4",
    "resting_heart_rate": "8867-4 40443-4", "avg_heart_rate": "103205-1", "min_heart_rate": "103222-6",
    "max_heart_rate": "101692-2", "body_weight": "29463-7", "body_height": "8302-2", "bmi": "39156-5",
    "body_fat": "41982-0", "body_fat_mass": "73708-0", "body_lean_mass": "91557-9", "body_muscle": "73965-6",
    "body_muscle_mass": "73964-9", "body_water": "101684-9", "body_water_mass": "101683-1", "body_bone": "101686-4",
    "hba1c": "4548-4", "c_peptide": "1986-9", "triglyceride": "2571-8", "blood_ketone": "66441-7", "gmi": "97506-0",
    "coefficient_of_variation": "104638-2", "capture_rate": "104637-4", "days_worn_count": "104636-6",
    "respiratory_rate": "9279-1", "fev1": "20150-9", "fvc": "19868-9", "pef": "33452-4", "fev1_per_fvc": "19926-5",
    "floors_climbed": "100304-5", "energy_burned": "55424-6", "active_energy_burned": "93819-1",
    "active_duration": "55411-3", "sleep_duration": "93832-4", "deep_sleep": "93831-6", "light_sleep": "93830-8",
    "rem_sleep": "93829-0", "awake_duration": "103210-1", "time_to_fall_asleep": "103212-7", "vo2_max": "94122-9",
    "energy_consumed": "9052-2", "total_cholesterol": "2093-3", "hdl": "2085-9", "ldl": "2089-1",
    "blood_calcium": "17861-6", "blood_folic_acid": "2284-8", "blood_magnesium": "19123-9", "blood_potassium": "2823-3",
    "blood_sodium": "2951-2", "blood_vitamin_b12": "2132-9", "blood_zinc": "5763-8", "creatine_kinase": "2157-6",
    "crp": "1988-5", "hscrp": "30522-7", "ferritin": "2276-4", "il6": "26881-3", "testosterone": "2986-8",
    "tsh": "3016-3", "uric_acid": "3084-1", "white_cell_count": "26464-8",
}
# Glucose in mg/dL and in mmol/L, by what it was measured in; None where a record does not say it.
GLUCOSE = {
    None: ("2339-0", "15074-8"), "undetermined_whole_blood": ("2339-0", "15074-8"),
    "capillary_whole_blood": ("41653-7", "14743-9"), "capillary_plasma": ("41653-7", "14743-9"),
    "venous_whole_blood": ("41652-9", "39480-9"), "arterial_whole_blood": ("41651-1", "39481-7"),
    "venous_plasma": ("2345-7", "14749-6"), "arterial_plasma": ("2345-7", "14749-6"),
    "undetermined_plasma": ("2345-7", "14749-6"), "interstitial_fluid": ("99504-3", "105272-9"),
}
OTHER_GLUCOSE = {
    "fasting_plasma_glucose_test": ("1558-6", "14771-0"), "random_plasma_glucose_test": ("2345-7", "14749-6"),
}
TEMPERATURES = {"armpit": "8328-7", "mouth": "8331-1", "rectum": "8332-9", "ear": "76011-6", "tympanum": "8333-7"}
SITES = {
    "finger": "7569003", "toe": "29707007", "forehead": "52795006", "earlobe": "48800003",
    "gastrointestinal_tract": "122865005", "subcutaneous_tissue": "71966008",
}
# Units of records in which a metric of a unit can be written.
CONVERTIBLE = {"mmHg": {"kPa"}, "kg": {"lb", "st"}, "°C": {"°F"}}
# The unit of records by metric, where it is one of those above or has several spellings.
UNITS = {
    "mmHg": "systolic diastolic mean_arterial_pressure", "°C": "body_temperature",
    "kg": "body_weight body_fat_mass body_lean_mass body_muscle_mass body_water_mass", "%": "hba1c spo2",
    "bpm": "pulse", "s": "active_duration sleep_duration deep_sleep", "count": "steps", "m": "distance",
}
UNIT_OF = {metric: unit for unit, metrics in UNITS.items() for metric in metrics.split()}

# The vital signs of R4, and the kinds of devices by what they measure, in the order in which they are asked.
VITAL_SIGNS = {"8480-6", "8462-4", "8478-0", "85354-9", "8867-4", "9279-1", "2708-6", "8310-5", "8302-2", "29463-7",
               "39156-5"}
# The codes of MDC for samples of vital signs, of an oximeter.
SAMPLED = {"spo2": "150456", "pulse": "149530"}
LABORATORY = {"41653-7", "14743-9", "2339-0", "15074-8", "99504-3", "105272-9", "46418-0", "66441-7", "4548-4", "2093-3"}
EXAMS = {"41982-0", "73708-0", "73964-9", "103205-1", "101692-2", "20150-9", "61006-3"}
DEVICES = [
    ("528391", "systolic diastolic mean_arterial_pressure"), ("528401", "blood_glucose blood_ketone"),
    ("528402", "inr pt"), ("528392", "body_temperature"),
    ("528404", "body_fat body_fat_mass body_lean_mass body_muscle body_muscle_mass body_water body_water_mass body_bone "
               "body_bone_mass soft_lean_mass body_impedance visceral_fat basal_metabolic_rate"),
    ("528399", "body_weight bmi"), (None, "fvc fev1_per_fvc fef_25_75"), ("528405", "pef fev1 fev6"),
    ("528425", "steps distance floors_climbed elevation energy_burned active_energy_burned active_duration "
               "sleep_duration workout_duration"),
    ("528388", "spo2 avg_spo2 min_spo2 max_spo2 perfusion_index"), ("528525", "pulse"),
]
MEALS = {"before": "8417868", "after": "8417872", "fasting": "8417876", "random": "8417880"}


def has(concept, system):
    """The codes of a concept that belong to a system, in their order."""
    return [coding["code"] for coding in concept.get("coding", []) if coding["system"] == system]


class CodeCheck:
    """Compares the codes of Observations with those that their records ask for."""

    def __init__(self, expect, records, bundle):
        self.expect = expect
        self.devices = {(identifier["system"], identifier["value"]): entry["resource"]
                        for entry in bundle.get("entry", []) if entry["resource"]["resourceType"] == "Device"
                        for identifier in entry["resource"].get("identifier", [])}
        # What a bundle says of a device once holds for each of its records.
        self.types = {}
        for record in records:
            tags = {tag["name"]: tag["value"] for tag in reversed(record.get("tags", []))}
            for device in [record["source"].get("device"), *record["source"].get("devices", {}).values()]:
                if device and device.get("id"):
                    self.types.setdefault(device["id"], []).append(device_type(record, tags))
        self.records = sorted(records, key=lambda record: -len(record["log_id"]))

    def observation(self, resource, place):
        identifier = resource["identifier"][0]["value"]
        record = next((r for r in self.records if identifier.startswith(r["log_id"] + "/")), None)
        if record is None:
            return self.expect(False, "codes", place, "no record has this identifier")
        tags = {tag["name"]: tag["value"] for tag in reversed(record.get("tags", []))}
        self.metric(resource["code"], record, tags, place, "valueSampledData" in resource)
        for part in resource.get("component", []):
            self.metric(part["code"], record, tags, place + ".component")
        self.control(resource, place)
        self.site(resource, tags, place)
        self.category(resource, place)
        self.device(resource, record, tags, place)
        return self.meal(resource, place)

    def metric(self, code, record, tags, place, is_sampled=False):
        for name in has(code, METRIC):
            given = next((m for m in record["metrics"] if m["type"] == name), None)
            if given is not None:
                shown = given.get("shown", {}).get("unit")
                unit = shown if "glucose" in name and shown in ("mg/dL", "mmol/L") else given["unit"]
                wanted = loincs(record, tags, name, unit)
                if is_sampled and set(wanted) & VITAL_SIGNS:  # its profile demands one quantity
                    wanted, given_mdc = [], has(code, MDC)
                    self.expect(given_mdc == [SAMPLED.get(name)], "codes", place, f"samples of {name} have {given_mdc}")
                self.expect(has(code, LOINC) == wanted, "codes", place,
                            f"{name} has {has(code, LOINC)} in place of {wanted}")

    def control(self, resource, place):
        controls = [part for part in resource.get("component", []) if part.get("valueString") == "control_solution"]
        self.expect(not controls, "codes", place, "a control solution is no glucose of a person")

    def site(self, resource, tags, place):
        names = has(resource["code"], METRIC)
        found = tags.get("sample_location")
        if "body_temperature" in names:
            found = tags.get("measurement_location", found)
        elif "blood_glucose" not in names:
            found = None
        wanted = [SITES[found]] if found in SITES and has(resource["code"], LOINC) else []
        self.expect(has(resource.get("bodySite", {}), SNOMED) == wanted, "site", place, f"{wanted} is expected")

    def category(self, resource, place):
        codes = set(has(resource["code"], LOINC))
        given = [code for concept in resource.get("category", [])
                 for code in has(concept, TERMINOLOGY + "observation-category")]
        self.expect(("vital-signs" in given) == bool(codes & VITAL_SIGNS), "category", place,
                    f"{given} for {sorted(codes)}")
        for wanted, members in (("laboratory", LABORATORY), ("exam", EXAMS)):
            self.expect(not codes & members or given == [wanted], "category", place, f"{given}, expected {wanted}")

    def device(self, resource, record, tags, place):
        for device in resource.get("contained", []):
            self.expect("identifier" not in device, "device", place, "a device with an identity is contained")
            given, wanted = has(device.get("type", {}), MDC), device_type(record, tags)
            self.expect(given == wanted, "device", place, f"the type {given} in place of {wanted}")
        identifier = resource.get("device", {}).get("identifier")
        if identifier:
            system, value = identifier["system"], identifier["value"]
            self.expect(system == "urn:santorio:device", "device", place, f"an identifier of {system}")
            device = self.devices.get((system, value), {})
            given, wanted = has(device.get("type", {}), MDC), self.types.get(value.rpartition("/")[2], [])
            self.expect(given in wanted, "device", place, f"the type {given} in place of {wanted}")

    def meal(self, resource, place):
        for part in resource.get("component", []):
            if "8417864" in has(part["code"], MDC):
                answer = part.get("valueCodeableConcept", {})
                wanted = [MEALS[answer.get("text")]] if answer.get("text") in MEALS else []
                self.expect(has(answer, MDC) == wanted, "meal", place, f"{answer} is not {wanted}")


def loincs(record, tags, name, unit):
    """The LOINC codes of a metric of a record, in the order in which they are written."""
    if name in OTHER_GLUCOSE or name in ("blood_glucose", "avg_blood_glucose"):
        return glucose(record, tags, name, unit)
    usual = UNIT_OF.get(name, unit)
    if unit != usual and unit not in CONVERTIBLE.get(usual, set()):
        return []
    if name == "body_temperature":
        site = tags.get("measurement_location", tags.get("sample_location"))
        return ["8310-5"] + ([TEMPERATURES[site]] if site in TEMPERATURES else [])
    if name == "steps":
        return ["41950-7" if record["type"] == "summary" else "55423-8"]
    if name == "distance":
        return [] if record["type"] == "workout" else ["55430-3"]
    if name == "heart_rate_variability":
        return ["80404-7"] if record["source"]["type"] == "apple_health" else []
    return CODES.get(name, "").split()


def glucose(record, tags, name, unit):
    if unit not in ("mg/dL", "mmol/L"):
        return []
    if name == "avg_blood_glucose":
        pair = ("97507-8", "105273-7") if record["type"] == "cgm" else None
    elif name in OTHER_GLUCOSE:
        pair = OTHER_GLUCOSE[name]
    else:
        pair = GLUCOSE.get(tags.get("sample_type", "interstitial_fluid" if record["type"] == "cgm" else None))
    return [pair[unit == "mmol/L"]] if pair else []


def device_type(record, tags):
    """The specialization of the device that a record came from."""
    if record["type"] == "cgm":
        return ["528409"]
    if record["source"]["type"] != "bluetooth":
        return []
    measured = {metric["type"] for metric in record["metrics"]}
    code = next((code for code, metrics in DEVICES if measured & set(metrics.split())), "528457")
    if code == "528525" and tags.get("sensor_location", "chest") not in ("chest", "other"):
        return ["528425"]
    return [code] if code else []

# SPDX-License-Identifier: Apache-2.0
"""What HL7's guides for devices demand of an Observation of a record beyond the rules of their profiles."""
import datetime

from check_fhir_codes import LOINC, MDC, has

CGM_PROFILE = "http://hl7.org/fhir/uv/cgm/StructureDefinition/cgm-sensor-reading-"
CGM_PROFILES = {"99504-3": "mass-per-volume", "105272-9": "moles-per-volume"}
SYSTEM_ID = "urn:oid:1.2.840.10004.1.1.1.0.0.1.0.0.1.2680"
IDENTIFIER = "http://hl7.org/fhir/uv/phd/StructureDefinition/PhdBaseObservation"


class GuideCheck:
    """Claims of the guide for glucose monitors, and identifiers of the one for personal health devices."""

    def __init__(self, expect, records, bundle, counts):
        self.expect, self.counts = expect, counts
        self.records = sorted(records, key=lambda record: -len(record["log_id"]))
        self.urls = {entry["fullUrl"]: entry["resource"] for entry in bundle.get("entry", [])}

    def observation(self, resource, place):
        profiles = resource.get("meta", {}).get("profile", [])
        self.glucose(resource, [url for url in profiles if "/uv/cgm/" in url], place)
        self.identifier(resource, [url for url in profiles if "/uv/phd/" in url], place)

    def glucose(self, resource, claimed, place):
        """A reading at a moment claims the profile of its unit, and nothing else claims one."""
        is_reading = "effectiveDateTime" in resource and "valueSampledData" not in resource
        implied = [CGM_PROFILE + CGM_PROFILES[code] for code in has(resource["code"], LOINC)
                   if is_reading and code in CGM_PROFILES]
        self.expect(implied == claimed, "profile", place, f"claims {claimed}, its codes imply {implied}")
        self.counts["readings of glucose monitors"] += len(claimed)

    def identifier(self, resource, claimed, place):
        """The guide's identifier, of a device with a System ID that has said when it measured."""
        given = [identifier["value"].partition("..")[0] for identifier in resource["identifier"]
                 if identifier["system"] == IDENTIFIER]
        wanted = self.wanted(resource) if claimed and "valueSampledData" not in resource else []
        self.expect(given == wanted, "identifier", place, f"{given} in place of {wanted}")
        self.counts["identifiers of the guide"] += len(given)

    def wanted(self, resource):
        device = self.urls.get(resource["device"].get("reference"), {})
        numbers = [identifier["value"].replace("-", "") for identifier in device.get("identifier", [])
                   if identifier["system"] == SYSTEM_ID]
        own = resource["identifier"][0]["value"]
        record = next(record for record in self.records if own.startswith(record["log_id"] + "/"))
        if not numbers or "device_time" not in record["time"]:
            return []
        begun = resource.get("effectiveDateTime") or resource["effectivePeriod"]["start"]
        shown = moment(record["time"]["device_time"]) + (moment(begun) - moment(record["start_time"]))
        seconds = str((shown - datetime.datetime(2000, 1, 1)).total_seconds()).removesuffix(".0")
        patient = resource["subject"]["reference"].rpartition("/")[2]
        return ["-".join([numbers[0], patient, has(resource["code"], MDC)[0], seconds])]


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))

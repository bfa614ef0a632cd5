"""What a team scripts with sentry-api-python: projects and alert rules that are made, or changed where they are there.

It prints what the client was answered, as JSON.
"""
import json
import os

from sentry_api.api import SentryApi
from sentry_api.exceptions import (
    SentryApiBadInputException,
    SentryApiConflictException,
    SentryApiForbiddenException,
    SentryApiResourceNotFoundException,
)

api = SentryApi("acme", os.environ["SENTRY_AUTH_TOKEN"], os.environ["SENTRY_URL"] + "/api/0/")
out = {"team": api.teams.get("web").json()["slug"]}

project = {"name": "Kept", "slug": "kept", "platform": "python"}
out["made"] = api.projects.upsert("web", "kept", project).status_code
out["again"] = api.projects.upsert("web", "kept", {**project, "name": "Kept well"}).json()["name"]
try:
    api.projects.create("web", project)
except SentryApiConflictException as error:
    out["conflict"] = type(error).__name__

rule = {
    "name": "new issues",
    "actionMatch": "any",
    "filterMatch": "all",
    "frequency": 30,
    "conditions": [{"id": "sentry.rules.conditions.first_seen_event.FirstSeenEventCondition"}],
    "actions": [{"id": "sentry.mail.actions.NotifyEmailAction", "targetType": "AllMembers"}],
}
made = api.project_rules.create("kept", rule).json()
api.project_rules.update("kept", made["id"], {**rule, "name": "renamed"})
out["rules"] = [each["name"] for each in api.project_rules.all("kept").json() if each["id"] == made["id"]]

out["refused"] = []
for call in (
    lambda: api.projects.get("nothing"),
    lambda: api.project_rules.create("kept", {"name": "half"}),
    lambda: SentryApi("acme", os.environ["WEAK_TOKEN"], os.environ["SENTRY_URL"] + "/api/0/").projects.create(
        "web", {"name": "Mine"}
    ),
):
    try:
        call()
        out["refused"].append("nothing")
    except (SentryApiResourceNotFoundException, SentryApiBadInputException, SentryApiForbiddenException) as error:
        out["refused"].append(type(error).__name__)

print(json.dumps(out))

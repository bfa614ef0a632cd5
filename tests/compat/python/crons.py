"""Scheduled jobs that report through sentry-sdk as its documentation says: one that ends well, one that raises, one by hand."""

import os

import sentry_sdk
from sentry_sdk.crons import capture_checkin, monitor

sentry_sdk.init(
    dsn=os.environ["SENTRY_DSN"], release="jobs@2.0.0", environment="compat-python"
)

CONFIG = {
    "schedule": {"type": "crontab", "value": "0 2 * * *"},
    "timezone": "Europe/Berlin",
    "checkin_margin": 5,
    "max_runtime": 20,
    "failure_issue_threshold": 1,
    "recovery_threshold": 2,
}


@monitor(monitor_slug="python-backup", monitor_config=CONFIG)
def backup():
    pass


@monitor(
    monitor_slug="python-invoices",
    monitor_config={"schedule": {"type": "interval", "value": 2, "unit": "hour"}},
)
def invoices():
    raise RuntimeError("the printer is on fire")


backup()
try:
    invoices()
except RuntimeError:
    pass

check_in_id = capture_checkin(
    monitor_slug="python-by-hand", status="in_progress", monitor_config=CONFIG
)
capture_checkin(
    monitor_slug="python-by-hand",
    check_in_id=check_in_id,
    status="ok",
    duration=12.5,
)
sentry_sdk.flush(10)

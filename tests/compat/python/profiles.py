"""A program that profiles continuously through sentry-sdk as its documentation says, while a transaction runs."""

import os
import time

import sentry_sdk

sentry_sdk.init(
    dsn=os.environ["SENTRY_DSN"],
    release="shop@3.0.0",
    traces_sample_rate=1.0,
    profile_session_sample_rate=1.0,
    profile_lifecycle="trace",
)


def weigh_the_parcel():
    until = time.monotonic() + 0.6
    total = 0
    while time.monotonic() < until:
        total += sum(range(1000))
    return total


with sentry_sdk.start_transaction(name="weigh the parcel", op="task"):
    weigh_the_parcel()
sentry_sdk.profiler.stop_profiler()
time.sleep(0.5)
sentry_sdk.flush(10)

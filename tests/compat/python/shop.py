"""A shop that reports through sentry-sdk as its documentation says; nothing here knows of Sonde.

Prints the event ids as JSON, then ends by an exception that nobody catches.
"""

import json
import os
import sys
import time

import sentry_sdk
from sentry_sdk.crons import capture_checkin


class PaymentError(Exception):
    pass


class CheckoutError(Exception):
    pass


def drop_unneeded(event, hint):
    return None if event.get("message") == "nobody needs this" else event


sentry_sdk.init(
    dsn=os.environ["SENTRY_DSN"],
    release="shop@1.4.2",
    environment="compat-python",
    traces_sample_rate=1.0,
    profiles_sample_rate=1.0,
    enable_logs=True,
    before_send=drop_unneeded,
)

sentry_sdk.set_user({"id": "42", "email": "ada@example.com", "username": "ada"})
sentry_sdk.set_tag("region", "eu-west")
sentry_sdk.set_context("cart", {"items": 3, "total": 59.9})
sentry_sdk.get_isolation_scope().set_extra("coupon", "SPRING")
sentry_sdk.add_breadcrumb(category="shop.cart", message="put sku 4711 into the cart", level="info")
sentry_sdk.add_breadcrumb(
    category="shop.pay", message="card was asked for", level="warning", data={"attempt": 2}
)


def charge_card(cents):
    card_holder = "Ada"
    raise PaymentError(f"card declined for {cents} cents, {len(card_holder)} letters")


def place_order():
    try:
        charge_card(5990)
    except PaymentError as error:
        raise CheckoutError("order 1001 could not be placed") from error


def capture_chained():
    try:
        place_order()
    except CheckoutError as error:
        return sentry_sdk.capture_exception(error)


def capture_fingerprinted(message):
    """Two different texts, held together by the fingerprint alone."""
    with sentry_sdk.new_scope() as scope:
        scope.fingerprint = ["stock-is-low"]
        scope.add_attachment(bytes=b"sku,left\n4711,2\n", filename="stock.csv")
        return sentry_sdk.capture_message(message, level="warning")


ids = {
    "chained": capture_chained(),
    "message": sentry_sdk.capture_message("The nightly import took long", level="info"),
    "fingerprinted": [
        capture_fingerprinted("Only two bicycles left"),
        capture_fingerprinted("No teapots any more"),
    ],
}
sentry_sdk.capture_message("nobody needs this")
with sentry_sdk.start_transaction(name="checkout", op="task") as transaction:
    ids["trace"] = transaction.trace_id
    with sentry_sdk.start_span(op="task.part", name="charge"):
        time.sleep(0.1)  # a profile needs a few samples
capture_checkin(monitor_slug="nightly-import", status="ok")
sentry_sdk.logger.info("order placed")
sentry_sdk.metrics.count("orders", 1)
sentry_sdk.get_isolation_scope().start_session()
sentry_sdk.get_isolation_scope().end_session()
sentry_sdk.flush(10)
print(json.dumps(ids))
sys.stdout.flush()


def send_newsletter(recipients):
    return len(recipients)


send_newsletter(None)

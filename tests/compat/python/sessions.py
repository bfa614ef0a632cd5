"""A Flask application that reports through sentry-sdk as its documentation says: one session for each request."""

import os

import flask
import sentry_sdk

sentry_sdk.init(
    dsn=os.environ["SENTRY_DSN"], release="shop@3.0.0", environment="compat-python"
)

app = flask.Flask(__name__)


@app.route("/")
def home():
    return "ok"


@app.route("/handled")
def handled():
    sentry_sdk.capture_exception(ValueError("the cart is empty"))
    return "ok"


@app.route("/crash")
def crash():
    raise RuntimeError("out of stock")


client = app.test_client()
for path in ["/", "/", "/", "/handled", "/crash"]:
    client.get(path).get_data()
sentry_sdk.flush(10)

"""The service that knows what is left: Flask, with sentry-sdk as its documentation says.

Prints its address once it listens; ends when its standard input does, after what it recorded was sent.
"""

import os
import sys
import threading

import sentry_sdk
from flask import Flask
from werkzeug.serving import make_server

sentry_sdk.init(
    dsn=os.environ["SENTRY_DSN"],
    release="stock@1.4.2",
    environment="compat-one-trace",
    traces_sample_rate=1.0,
)

app = Flask("stock")


@app.get("/stock/<int:sku>")
def stock(sku):
    with sentry_sdk.start_span(op="db", name="SELECT left FROM stock"):
        return {"sku": sku, "left": 2}


server = make_server("127.0.0.1", 0, app, threaded=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}", flush=True)
sys.stdin.read()
server.shutdown()
sentry_sdk.flush(10)

"""Checks a SCIM server with scim2-tester, and prints what it found as JSON."""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

url, token = sys.argv[1:3]
http = Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=30)
results = check_server(SyncSCIMClient(http))
print(json.dumps([{"status": str(r.status.name), "title": r.title, "reason": r.reason} for r in results]))

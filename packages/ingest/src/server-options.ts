/** What `http.createServer` needs besides our doors, so that a slow sender of headers holds nothing for long. */
import type { ServerOptions } from 'node:http'

export const HTTP_SERVER_OPTIONS: ServerOptions = {
  headersTimeout: 15_000,
  // Bodies have their own, stricter rules (`IngestLimits`); this one also covers uploads of other doors.
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
  // Longer than proxies keep an idle connection (60 s): else one of their requests meets a closed socket.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 32 * 1024,
}

/** What the front answers for the back while that is away: a page that tries again by itself, or JSON for programs. */
import type { IncomingMessage, ServerResponse } from 'node:http'

const AWAY_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Sonde is starting</title>
<body style="font:16px/1.5 system-ui;display:grid;place-content:center;min-height:90vh;text-align:center">
<h1 style="font-size:1.25rem">Sonde is starting</h1>
<p>Events are accepted and kept meanwhile. This page tries again by itself.</p>`

export function answerAway(req: IncomingMessage, res: ServerResponse): void {
  const wantsPage = req.method === 'GET' && (req.headers.accept ?? '').includes('text/html')
  res.writeHead(503, {
    'content-type': wantsPage ? 'text/html; charset=utf-8' : 'application/json',
    'retry-after': '2',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  res.end(wantsPage ? AWAY_PAGE : '{"detail":"Sonde is starting or restarting; try again in 2 seconds."}')
}

/**
 * The page in which recordings are played: it reaches nothing and holds nothing. docs/replay.md
 *
 * The player needs frames whose documents it can build, which a frame of `sandbox="allow-scripts"` cannot have: each of
 * its frames has an origin of its own. A `data:` document has an origin of its own too, and its frames share that. So this
 * page frames one, which inherits this policy; within it, the recorded page is built in a frame that runs no scripts.
 */
import { randomBytes } from 'node:crypto'
import { replayMoment } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'

/** Of what is played: a recording brings images and fonts within itself, or not at all. */
const INNER = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
]

const TEMPLATE = `<!doctype html><meta charset="utf-8"><title>Replay</title>
<style>html,body{margin:0;height:100%;overflow:hidden;background:transparent}iframe{border:0;width:100%;height:100%;display:block}</style>
<script nonce="NONCE">
'use strict'
// The address of the player's script is in the fragment; only one of this server's own files is taken.
const script = new URL(decodeURIComponent(location.hash.slice(1)), location.origin)
const [, type = 'text/javascript'] = /[?&]type=(module)/.exec(script.search) ?? []
if (script.origin !== location.origin) throw new Error('the script is of another origin')
const text = (value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const frame = document.createElement('iframe')
frame.title = 'Recorded page'
frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
frame.src = 'data:text/html;charset=utf-8,' + encodeURIComponent(
  '<!doctype html><meta charset="utf-8"><meta http-equiv="content-security-policy" content="POLICY">' +
  '<title>Recorded page</title><body><script type="' + type + '" nonce="NONCE" src="' + text(script.href) + '"><' + '/script>')
const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
addEventListener('message', (event) => {
  if (event.origin !== location.origin || event.source !== parent || event.ports.length !== 1) return
  loaded.then(() => frame.contentWindow.postMessage('port', '*', [event.ports[0]]))
})
addEventListener('DOMContentLoaded', () => {
  document.body.append(frame)
  parent.postMessage('replay-frame', location.origin)
})
</script>
<body></body>`

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'replay'>) {
  const grant = await projectGrant(args, 'event:read')
  const { queries } = args.context
  if (!(await replayMoment(queries, grant, { replayId: args.params.replay, atMs: 0 }))) return notFound()
  const nonce = randomBytes(16).toString('base64')
  const own = [...INNER, `script-src 'nonce-${nonce}'`]
  // It stands in an attribute within a string of the script.
  const policy = [...own, "frame-src 'none'"].join('; ').replaceAll("'", '&#39;')
  const html = TEMPLATE.replaceAll('NONCE', nonce).replace('POLICY', policy)
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-security-policy': [...own, 'frame-src data:', "frame-ancestors 'self'"].join('; '),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    },
  })
}

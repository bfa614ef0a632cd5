import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_BODY_BYTES, type ApiOptions, createApi } from '@sonde/api'
import { BODY_BOUNDS, bodyBound } from '../../src/front/body-bounds.ts'
import { frontBefore } from './front-before.ts'
import { converse } from './raw-client.ts'

const KIB = 1024
const MIB = 1024 * KIB
const FORM = 'application/x-www-form-urlencoded'

/** A request of each row: path, type, bound, and the words of a refusal. */
const ROWS = [
  [
    '/api/0/organizations/acme/chunk-upload/',
    'multipart/form-data; boundary=x',
    33 * MIB,
    'a request with pieces of an upload has at most 33 MiB',
  ],
  [
    '/api/0/projects/acme/shop/releases/1.0%2F2/files/',
    'multipart/form-data; boundary=x',
    33 * MIB,
    'a file of a release has at most 33 MiB',
  ],
  [
    '/api/0/organizations/acme/releases/',
    'application/json',
    16 * MIB,
    'a release with its commits has at most 16 MiB',
  ],
  [
    '/api/0/organizations/acme/scim/v2/Groups/7',
    'application/scim+json',
    4 * MIB,
    'a group of a directory has at most 4 MiB',
  ],
  [
    '/api/0/projects/acme/shop/files/dsyms/',
    'multipart/form-data; boundary=x',
    33 * MIB,
    'a request with debug files has at most 33 MiB',
  ],
  ['/api/0/oauth/token/', FORM, 16 * KIB, 'a request of an application that signs in has at most 16 KiB'],
  ['/api/0/organizations/acme/issues/', 'application/json', MIB, 'a request to the API has at most 1 MiB'],
  ['/api/auth/sign-in/email', 'application/json', 16 * KIB, 'a sign-in has at most 16 KiB'],
  ['/mcp', 'application/json', 64 * KIB, 'a message to the MCP server has at most 64 KiB'],
  ['/acme/shop/settings?tab=filters', FORM, MIB, 'a form of a page has at most 1 MiB'],
  ['/acme/shop/settings', 'application/json', 64 * KIB, 'a request here has at most 64 KiB'],
  ['/api/elsewhere', FORM, 64 * KIB, 'a request here has at most 64 KiB'],
] as const

test('every row of the table is tried here', () => {
  const tried = ROWS.map(([path, type]) =>
    bodyBound({ method: 'POST', url: path, headers: { 'content-type': type } }),
  )
  assert.deepEqual(new Set(tried), new Set(BODY_BOUNDS))
})

for (const [path, type, maxBytes, words] of ROWS) {
  test(`${path} as ${type} takes ${maxBytes} bytes and not one more, whatever the framing`, async (t) => {
    let begun = 0
    const whole: number[] = []
    const { port } = await frontBefore(t, (req, res) => {
      begun += 1
      let bytes = 0
      req.on('error', () => undefined)
      req.on('data', (chunk: Buffer) => (bytes += chunk.length))
      req.on('end', () => {
        whole.push(bytes)
        res.end()
      })
    })
    const send = async (framing: 'length' | 'chunked', bytes: number) => {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n`
      const body = 'x'.repeat(bytes)
      const framed =
        framing === 'length'
          ? `Content-Length: ${bytes}\r\n\r\n${body}`
          : `Transfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      return (await converse(port, head + framed, { expected: 1 })).answers[0]
    }
    for (const framing of ['length', 'chunked'] as const) {
      assert.equal((await send(framing, maxBytes))?.status, 200)
      const refused = await send(framing, maxBytes + 1)
      assert.deepEqual([refused?.status, refused?.body], [413, JSON.stringify({ detail: words })])
      assert.match(refused?.head ?? '', new RegExp(`^HTTP/1.1 413 ${words}\r\n`))
      assert.match(refused?.head ?? '', /^connection: close$/im)
      // What is declared too large does not even reach the back.
      if (framing === 'length') assert.equal(begun, 1)
    }
    assert.deepEqual(whole, [maxBytes, maxBytes])
  })
}

/** What each route of `/api/0` that takes a body reads at most. A new one must be entered, and have room in front. */
const {
  scimGroup,
  scimUser,
  json,
  oauth,
  hook,
  releaseJson,
  assembleJson,
  chunks,
  releaseFile,
  saml,
  webhook,
  ownership,
  rules,
} = API_BODY_BYTES
const TAKEN: Readonly<Record<string, number>> = {
  'POST /api/0/oauth/register': oauth,
  'POST /api/0/oauth/token': oauth,
  'POST /api/0/oauth/revoke': oauth,
  'POST /api/0/organizations/:org/scim/v2/Users': scimUser,
  'PUT /api/0/organizations/:org/scim/v2/Users/:person': scimUser,
  'PATCH /api/0/organizations/:org/scim/v2/Users/:person': scimUser,
  'DELETE /api/0/organizations/:org/scim/v2/Users/:person': 0,
  'POST /api/0/organizations/:org/scim/v2/Groups': scimGroup,
  'PUT /api/0/organizations/:org/scim/v2/Groups/:group': scimGroup,
  'PATCH /api/0/organizations/:org/scim/v2/Groups/:group': scimGroup,
  'DELETE /api/0/organizations/:org/scim/v2/Groups/:group': 0,
  'DELETE /api/0/organizations/:org': 0,
  'POST /api/0/organizations/:org/exports': 0,
  'DELETE /api/0/organizations/:org/exports/:export': 0,
  'PUT /api/0/organizations/:org/export-schedule': json,
  'POST /api/0/recently-deleted/:id/restore': 0,
  'DELETE /api/0/recently-deleted/:id': 0,
  'DELETE /api/0/organizations/:org/files/source-maps': 0,
  'DELETE /api/0/issues/:issue/external-issues/:external': 0,
  'DELETE /api/0/organizations/:org/issues/:issue/external-issues/:external': 0,
  'DELETE /api/0/issues/:issue': 0,
  'DELETE /api/0/issues/:issue/hashes': 0,
  'DELETE /api/0/organizations/:org/issues': 0,
  'DELETE /api/0/organizations/:org/issues/:issue': 0,
  'DELETE /api/0/organizations/:org/issues/:issue/hashes': 0,
  'DELETE /api/0/projects/:org/:project/issues': 0,
  'PUT /api/0/issues/:issue/hashes': 0,
  'PUT /api/0/organizations/:org/issues/:issue/hashes': 0,
  'POST /api/0/issues/:issue/comments': json,
  'PUT /api/0/issues/:issue/comments/:comment': json,
  'DELETE /api/0/issues/:issue/comments/:comment': 0,
  'PUT /api/0/issues/:issue/comments/:comment/reactions/:reaction': 0,
  'DELETE /api/0/issues/:issue/comments/:comment/reactions/:reaction': 0,
  'POST /api/0/issues/:issue/notes': json,
  'PUT /api/0/issues/:issue/notes/:comment': json,
  'DELETE /api/0/issues/:issue/notes/:comment': 0,
  'PUT /api/0/issues/:issue/notes/:comment/reactions/:reaction': 0,
  'DELETE /api/0/issues/:issue/notes/:comment/reactions/:reaction': 0,
  'POST /api/0/organizations/:org/issues/:issue/comments': json,
  'PUT /api/0/organizations/:org/issues/:issue/comments/:comment': json,
  'DELETE /api/0/organizations/:org/issues/:issue/comments/:comment': 0,
  'PUT /api/0/organizations/:org/issues/:issue/comments/:comment/reactions/:reaction': 0,
  'DELETE /api/0/organizations/:org/issues/:issue/comments/:comment/reactions/:reaction': 0,
  'POST /api/0/organizations/:org/issues/:issue/notes': json,
  'PUT /api/0/organizations/:org/issues/:issue/notes/:comment': json,
  'DELETE /api/0/organizations/:org/issues/:issue/notes/:comment': 0,
  'PUT /api/0/organizations/:org/issues/:issue/notes/:comment/reactions/:reaction': 0,
  'DELETE /api/0/organizations/:org/issues/:issue/notes/:comment/reactions/:reaction': 0,
  'DELETE /api/0/organizations/:org/members/:member': 0,
  'DELETE /api/0/organizations/:org/members/:member/teams/:team': 0,
  'DELETE /api/0/projects/:org/:project/teams/:team': 0,
  'DELETE /api/0/teams/:org/:team': 0,
  'POST /api/0/organizations/:org/members/:member/teams/:team': 0,
  'POST /api/0/organizations/:org/teams': json,
  'POST /api/0/projects/:org/:project/teams/:team': json,
  'POST /api/0/teams/:org/:team/projects': json,
  'PUT /api/0/teams/:org/:team': json,
  'DELETE /api/0/organizations/:org/org-auth-tokens/:token': 0,
  'DELETE /api/0/organizations/:org/releases/:version': 0,
  'DELETE /api/0/organizations/:org/releases/:version/files/:file': 0,
  'DELETE /api/0/projects/:org/:project': 0,
  'DELETE /api/0/projects/:org/:project/events/:event/attachments/:attachment': 0,
  'DELETE /api/0/projects/:org/:project/files/source-maps': 0,
  'DELETE /api/0/projects/:org/:project/keys/:key': 0,
  'DELETE /api/0/projects/:org/:project/releases/:version': 0,
  'DELETE /api/0/projects/:org/:project/releases/:version/files/:file': 0,
  'DELETE /api/0/organizations/:org/alert-rules/:rule': 0,
  'DELETE /api/0/organizations/:org/notifications/actions/:action': 0,
  'DELETE /api/0/projects/:org/:project/alert-rules/:rule': 0,
  'DELETE /api/0/projects/:org/:project/alert-rules/:rule/snooze': 0,
  'DELETE /api/0/projects/:org/:project/release-rules/:rule': 0,
  'DELETE /api/0/projects/:org/:project/release-rules/:rule/snooze': 0,
  'DELETE /api/0/projects/:org/:project/rules/:rule': 0,
  'DELETE /api/0/projects/:org/:project/rules/:rule/snooze': 0,
  'POST /api/0/organizations/:org/alert-rules': json,
  'POST /api/0/organizations/:org/members': json,
  'POST /api/0/organizations/:org/notifications/actions': json,
  'POST /api/0/organizations/:org/searches': json,
  'PUT /api/0/organizations/:org/searches/:search': json,
  'PUT /api/0/organizations/:org/searches/:search/pin': 0,
  'DELETE /api/0/organizations/:org/searches/:search': 0,
  'DELETE /api/0/organizations/:org/searches/:search/pin': 0,
  'DELETE /api/0/projects/:org/:project/codeowners/:codeowners': 0,
  'POST /api/0/projects/:org/:project/codeowners': ownership,
  'PUT /api/0/projects/:org/:project/codeowners/:codeowners': ownership,
  'PUT /api/0/projects/:org/:project/codeowners-owners': json,
  'PUT /api/0/projects/:org/:project/ownership': ownership,
  'POST /api/0/projects/:org/:project/alert-rules': json,
  'POST /api/0/projects/:org/:project/alert-rules/:rule/snooze': json,
  'POST /api/0/projects/:org/:project/release-rules': json,
  'POST /api/0/projects/:org/:project/release-rules/:rule/snooze': json,
  'POST /api/0/projects/:org/:project/rules': json,
  'POST /api/0/projects/:org/:project/rules/:rule/snooze': json,
  'PUT /api/0/organizations/:org/alert-rules/:rule': json,
  'PUT /api/0/organizations/:org/notifications/actions/:action': json,
  'PUT /api/0/projects/:org/:project/alert-rules/:rule': json,
  'PUT /api/0/projects/:org/:project/release-rules/:rule': json,
  'PUT /api/0/projects/:org/:project/rules/:rule': json,
  'POST /api/0/channels/:channel/hook': hook,
  'DELETE /api/0/projects/:org/:project/files/dsyms': 0,
  'POST /api/0/projects/:org/:project/files/difs/assemble': assembleJson,
  'DELETE /api/0/organizations/:org/monitors/:monitor': 0,
  'DELETE /api/0/projects/:org/:project/monitors/:monitor': 0,
  'POST /api/0/organizations/:org/monitors': json,
  'PUT /api/0/organizations/:org/monitors/:monitor': json,
  'PUT /api/0/projects/:org/:project/monitors/:monitor': json,
  'DELETE /api/0/projects/:org/:project/replays/:replay': 0,
  'POST /api/0/projects/:org/:project/replays/:replay/viewed-by': 0,
  'POST /api/0/projects/:org/:project/user-feedback': json,
  'PUT /api/0/projects/:org/:project/performance-issues/configure': json,
  'PUT /api/0/projects/:org/:project/noise/rules': json,
  'POST /api/0/organizations/:org/personal-data/erase': json,
  'POST /api/0/organizations/:org/personal-data/export': json,
  'POST /api/0/organizations/:org/personal-data/find': json,
  'POST /api/0/projects/:org/:project/personal-data/erase': json,
  'POST /api/0/projects/:org/:project/personal-data/export': json,
  'POST /api/0/projects/:org/:project/personal-data/find': json,
  'POST /api/0/projects/:org/:project/stored-scrubs': json,
  'POST /api/0/projects/:org/:project/stored-scrubs/preview': json,
  'DELETE /api/0/projects/:org/:project/events': 0,
  'DELETE /api/0/projects/:org/:project/events/:event': 0,
  'POST /api/0/projects/:org/:project/deleted-events/:deletion/restore': 0,
  'PUT /api/0/projects/:org/:project/retention': json,
  'PUT /api/0/projects/:org/:project/filters/:filter': json,
  'POST /api/0/projects/:org/:project/retention/preview': json,
  'POST /api/0/organizations/:org/artifact-states': json,
  'POST /api/0/organizations/:org/artifactbundle/assemble': assembleJson,
  'POST /api/0/organizations/:org/chunk-upload': chunks,
  'POST /api/0/issues/:issue/external-issues': json,
  'POST /api/0/organizations/:org/issues/:issue/external-issues': json,
  'POST /api/0/organizations/:org/org-auth-tokens': json,
  'POST /api/0/organizations/:org/projects': json,
  'POST /api/0/organizations/:org/releases': releaseJson,
  'POST /api/0/organizations/:org/releases/:version/assemble': assembleJson,
  'POST /api/0/organizations/:org/releases/:version/deploys': json,
  'POST /api/0/organizations/:org/releases/:version/files': releaseFile,
  'POST /api/0/projects/:org/:project/keys': json,
  'POST /api/0/projects/:org/:project/releases': releaseJson,
  'POST /api/0/projects/:org/:project/releases/:version/deploys': json,
  'POST /api/0/projects/:org/:project/releases/:version/files': releaseFile,
  'POST /api/0/projects/:org/:project/source-maps/reprocessing': json,
  'POST /api/0/sso/:org/acs': saml,
  'POST /api/0/status-unsubscribe': 0,
  'POST /api/0/trackers/:tracker/webhook': webhook,
  'POST /api/0/unsubscribe': 0,
  'PUT /api/0/issues/:issue': json,
  'PUT /api/0/organizations/:org/issues': json,
  'PUT /api/0/organizations/:org/issues/:issue': json,
  'PUT /api/0/organizations/:org/members/:member': json,
  'PUT /api/0/organizations/:org/org-auth-tokens/:token': json,
  'PUT /api/0/organizations/:org/releases/:version': releaseJson,
  'PUT /api/0/projects/:org/:project': rules,
  'PUT /api/0/projects/:org/:project/issues': json,
  'PUT /api/0/projects/:org/:project/keys/:key': json,
  'PUT /api/0/projects/:org/:project/releases/:version': releaseJson,
}

test('every route of the API has room at the front for what it takes, and not much more', () => {
  const routes = createApi({} as ApiOptions).routes.filter(({ method }) =>
    ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method),
  )
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  assert.deepEqual([...known].sort(), Object.keys(TAKEN).sort())
  for (const [route, takes] of Object.entries(TAKEN)) {
    const [method = '', pattern = ''] = route.split(' ')
    const url = pattern.replaceAll(/:\w+/g, 'any')
    for (const path of [url, `${url}/`]) {
      const { maxBytes } = bodyBound({ method, url: path, headers: {} })
      assert.ok(maxBytes >= takes, `${route} takes ${takes} bytes and the front lets ${maxBytes} through`)
      assert.ok(
        maxBytes <= Math.max(takes * 2, MIB),
        `${route} takes ${takes} bytes, far less than ${maxBytes}`,
      )
    }
  }
})

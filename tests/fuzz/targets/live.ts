/**
 * A whole Sonde as people run it, asked over its port: every endpoint, every kind of sender. It must answer, stay well,
 * lose nothing it acknowledged, and tell nobody of an organization that is not theirs.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { createProject, type CreatedProject } from '../../harness/api-client.ts'
import { OWNER, type RunningSonde, sondeJson, startSonde } from '../../harness/start-sonde.ts'
import type { OpenTarget, Target } from '../engine/target.ts'
import { envelopeAround } from '../mutators/envelope.ts'
import { mutateHttp } from '../mutators/http.ts'
import { backSeeds, COOKIE, ORIGIN, TOKEN } from './back-requests.ts'
import { assertBounded } from './memory-of-sonde.ts'
import { type RawAnswer, rawRequest } from './raw-request.ts'
import { doorSeeds, EVENT_ID, KEY, PROJECT } from './requests.ts'
import { BACK_WORDS, DOOR_WORDS } from './words.ts'

// What is allowed is a second, alone on an idle machine.
const SLOW_MS = 1_000
const PATIENCE_MS = 15_000
const JUDGED_WITHIN_MS = 20_000
const NEVER: readonly number[] = [500, 501, 502, 504]
const SETTLES_WITHIN_MS = 60_000
const GOOD_EVERY = 25
/** How many events and issues are looked at in the end. */
const SHOWN = 40
/** In every event and every name of the other organization. */
const SECRET = 'marker-of-the-other-organization'
const WORDS = [...DOOR_WORDS, ...BACK_WORDS]

/** What a sender is refused for its number is read by nothing behind the endpoint. */
const NO_LIMITS = Object.fromEntries(
  ['EVENTS', 'SPANS', 'BYTES', 'ISSUES', 'RELEASES'].map((what) => [`SONDE_SPIKE_LIMIT_${what}`, 'off']),
)

/** How full the machine's disk is does not depend on inputs; dead letters are looked at one by one. */
const NOT_OURS: readonly string[] = ['dead letters', 'disk']

type Doctor = {
  readonly deadLetters: number
  readonly log: { readonly depthBytes: number }
  readonly parts: readonly { readonly name: string; readonly state: string; readonly detail: string }[]
}
type Letter = { readonly itemType: string; readonly reason: string; readonly detail: string }

export const live: Target = {
  name: 'live',
  seeds: () => [...doorSeeds(), ...backSeeds()],
  mutate: mutateHttp(WORDS),
  words: WORDS,
  isRemote: true,
  open,
}

async function open(): Promise<OpenTarget> {
  const sonde = await startSonde({ env: NO_LIMITS })
  const people = await furnish(sonde)
  const put = toRequests(sonde, people)
  const good: string[] = []
  let inputs = 0
  let readLog = 0

  const ask = async (bytes: Buffer): Promise<void> => {
    const send = (): Promise<RawAnswer | undefined> => rawRequest(sonde.port, bytes, PATIENCE_MS)
    const answer = (await send()) ?? (await send())
    assert.ok(answer, 'no answer came')
    assert.ok(!NEVER.includes(answer.status), `the answer was ${answer.text.slice(0, 300)}`)
    assert.ok(!answer.text.includes(SECRET), 'it tells of another organization')
    if (answer.tookMs > SLOW_MS)
      assert.ok(!(await isSlow(send, sonde.port)), `it took more than ${SLOW_MS} ms`)
  }
  const checkLog = (): void => {
    const log = sonde.log()
    const fresh = log.slice(readLog)
    readLog = log.length
    const fault = fresh.split('\n').find((line) => /"level":[56]0/.test(line))
    assert.equal(fault, undefined, `it logged ${fault}`)
  }
  return {
    async run(input) {
      await ask(put(input))
      checkLog()
      if (++inputs % GOOD_EVERY !== 0) return
      const id = (0xf00d0000 + inputs).toString(16).padStart(32, '0')
      const event = envelopeAround({ event_id: id }, Buffer.from('{"message":"a good one"}'), {
        type: 'event',
      })
      const path = `/api/${PROJECT}/envelope/?sentry_key=${KEY}`
      const request = Buffer.concat([
        Buffer.from(`POST ${path} HTTP/1.1\r\nHost: sonde.test\r\nContent-Length: ${event.length}\r\n\r\n`),
        event,
      ])
      const answer = await rawRequest(sonde.port, put(request), PATIENCE_MS)
      assert.ok(
        answer && [200, 429, 503].includes(answer.status),
        `a good event was answered with ${answer?.text.slice(0, 300)}`,
      )
      if (answer.status === 200) good.push(id)
      const health = await rawRequest(
        sonde.port,
        Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'),
        PATIENCE_MS,
      )
      assert.equal(health?.status, 200, 'it is not well')
      assertBounded(sonde)
    },
    async close() {
      try {
        await settled(sonde)
        const [letter] = sondeJson<readonly Letter[]>(sonde.dataDir, ['dead', 'list'])
        assert.equal(
          letter,
          undefined,
          `dead letter ${letter?.reason} of ${letter?.itemType}: ${letter?.detail}`,
        )
        await assertStored(sonde, people, good)
        await assertShown(sonde, people)
        checkLog()
      } finally {
        await sonde.stop()
        if (process.env['SONDE_FUZZ_KEEP'] === undefined)
          rmSync(sonde.dataDir, { recursive: true, force: true, maxRetries: 5 })
        else process.stderr.write(`kept ${sonde.dataDir}\n`)
      }
    },
  }
}

/**
 * A busy machine is slow with everything. What is slow three times while a page is not, before and after, is at fault
 * itself; a machine that never gets quiet tells nothing.
 */
async function isSlow(send: () => Promise<RawAnswer | undefined>, port: number): Promise<boolean> {
  const page = Buffer.from('GET /sign-in HTTP/1.1\r\nHost: sonde.test\r\n\r\n')
  const pageMs = async (): Promise<number> =>
    (await rawRequest(port, page, PATIENCE_MS))?.tookMs ?? PATIENCE_MS
  const endMs = Date.now() + JUDGED_WITHIN_MS
  for (let left = 3; Date.now() < endMs;) {
    const beforeMs = await pageMs()
    const tookMs = (await send())?.tookMs ?? PATIENCE_MS
    if (tookMs <= SLOW_MS) return false
    if (Math.max(beforeMs, await pageMs()) <= SLOW_MS / 5 && --left === 0) return true
  }
  return false
}

type People = { readonly shop: CreatedProject; readonly token: string; readonly cookie: string }

/** Two organizations, and somebody who knows one of them. */
async function furnish(sonde: RunningSonde): Promise<People> {
  const { dataDir, url } = sonde
  const shop = createProject(sonde, 'acme/shop')
  const other = createProject(sonde, `other/${SECRET}`)
  const event = Buffer.from(JSON.stringify({ message: SECRET, release: SECRET }))
  await fetch(`${url}/api/${other.id}/envelope/?sentry_key=${other.publicKey}`, {
    method: 'POST',
    body: new Uint8Array(envelopeAround({}, event, { type: 'event' })),
  })
  const email = 'ann@acme.test'
  const { password } = OWNER
  sondeJson(dataDir, [
    'user',
    'create',
    '--email',
    email,
    '--org',
    'acme',
    '--role',
    'admin',
    '--password',
    password,
  ])
  const signedIn = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ email, password }),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
  assert.ok(cookie.includes('session'), `nobody was signed in: ${signedIn.status}`)
  return { shop, token: tokenOf(dataDir), cookie }
}

const SCOPES = 'project:read,project:write,project:releases,event:read,event:write,org:read'
const tokenOf = (dataDir: string): string =>
  sondeJson<{ token: string }>(dataDir, [
    'token',
    'create',
    '--org',
    'acme',
    '--name',
    'fuzz',
    '--scopes',
    SCOPES,
  ]).token

/** Makes of an input a request of that person to that Sonde. Events get ids of their own, so that each is stored. */
function toRequests({ url }: RunningSonde, { shop, token, cookie }: People): (input: Buffer) => Buffer {
  const projectId = shop.id.padStart(PROJECT.length, '0')
  let count = 0
  return (input) => {
    const end = input.indexOf('\r\n\r\n')
    const body = end === -1 ? Buffer.alloc(0) : input.subarray(end)
    const head = input
      .toString('latin1', 0, end === -1 ? input.length : end)
      .replaceAll(TOKEN, token)
      .replaceAll(COOKIE, cookie)
      .replaceAll(ORIGIN, url)
      .replaceAll('sonde.test', new URL(url).host)
    let bytes: Buffer = Buffer.concat([Buffer.from(head, 'latin1'), body])
    bytes = replaced(bytes, KEY, shop.publicKey)
    bytes = replaced(bytes, `/${PROJECT}`, `/${projectId}`)
    return replaced(bytes, EVENT_ID, (++count).toString(16).padStart(EVENT_ID.length, 'e'))
  }
}

/** Of the same length, so lengths that were right stay right. */
function replaced(bytes: Buffer, from: string, to: string): Buffer {
  assert.equal(from.length, to.length)
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')
}

async function settled({ dataDir }: RunningSonde): Promise<void> {
  const endMs = Date.now() + SETTLES_WITHIN_MS
  for (;;) {
    const { log, parts } = sondeJson<Doctor>(dataDir, ['doctor'])
    if (log.depthBytes === 0) {
      const bad = parts.find(({ name, state }) => state !== 'ok' && !NOT_OURS.includes(name))
      assert.equal(bad, undefined, `${bad?.name} is ${bad?.state}: ${bad?.detail}`)
      return
    }
    assert.ok(Date.now() < endMs, `the pipeline still has ${log.depthBytes} bytes to read`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function assertStored({ url }: RunningSonde, { token }: People, ids: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  for (const id of ids.slice(-SHOWN)) {
    const { status } = await fetch(`${url}/api/0/projects/acme/shop/events/${id}/`, { headers })
    assert.equal(status, 200, 'a good event that was acknowledged is not there')
  }
}

/** Whatever was let in can be looked at. */
async function assertShown({ url }: RunningSonde, { token, cookie }: People): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const list = await fetch(`${url}/api/0/projects/acme/shop/issues/?query=&limit=${SHOWN}`, { headers })
  assert.equal(list.status, 200, 'the issues cannot be listed')
  for (const { id } of (await list.json()) as { id: string }[]) {
    const page = await fetch(`${url}/acme/shop/issues/${id}`, { headers: { cookie } })
    const text = await page.text()
    assert.ok(page.status === 200 && !text.includes('"error":{"status":500'), `issue ${id} cannot be shown`)
    const event = await fetch(`${url}/api/0/organizations/acme/issues/${id}/events/latest/`, { headers })
    assert.equal(event.status, 200, `the latest event of issue ${id} is not told`)
    await event.json()
  }
}

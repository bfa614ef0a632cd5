/** Two organizations on one Sonde: acme, filled with everything that has an address, and globex, whose owner looks. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { silentLogger } from '@sonde/base'
import { openLogWriter } from '@sonde/log'
import { SCOPES } from '../../../packages/access/src/index.ts'
import { apiClient, createProject } from '../../harness/api-client.ts'
import {
  OWNER,
  type RunningSonde,
  sondeJson,
  startSonde,
  temporaryDataDir,
} from '../../harness/start-sonde.ts'
import { startGithub } from '../../harness/trackers/github.ts'
import { newEventId } from '../screens-events.ts'
import type { Asker, Names } from './addresses.ts'
import { commentsOf } from './comments-of.ts'
import { eventIn, fillAcme, SECRET } from './fill-acme.ts'
import { recordsOf } from './records.ts'
import { ssoOf } from './sso-of.ts'
import { trackerOf } from './tracker-of.ts'

const PASSWORD = 'correct horse battery'

export type Organizations = {
  readonly sonde: RunningSonde
  /** What acme's things are called. */
  readonly acme: Names
  /** The same keys, and nothing is called so. */
  readonly nothing: Names
  readonly globex: Names
  readonly askers: Readonly<Record<'operator' | 'ann' | 'viewer' | 'bob' | 'nobody', Asker>>
  /** Tokens of acme's owner and of globex, with every scope. */
  readonly tokens: { readonly acme: Asker; readonly globex: Readonly<Record<string, Asker>> }
  /** Texts that nobody of globex may see. */
  readonly secrets: readonly string[]
  /** Every row of acme's, as text; without what looking at it changes. */
  records(): ReadonlyMap<string, readonly string[]>
  signedIn(email: string): Promise<Asker>
  /** Of a person who is signed in. */
  personalToken(asker: Asker, org: string, scopes: readonly string[]): Promise<Asker>
  close(): Promise<void>
}

export async function openOrganizations(): Promise<Organizations> {
  const data = temporaryDataDir()
  await deadLetterIn(data.dir)
  const github = await startGithub(SECRET, ['acme/shop'])
  const env = { SONDE_OUTGOING_ALLOW: '127.0.0.0/8', SONDE_EXPORT_TO: join(data.dir, 'exported') }
  const sonde = await startSonde({ dataDir: data.dir, env })
  const shop = createProject(sonde, 'acme/shop')
  const spare = createProject(sonde, 'acme/spare')
  const site = createProject(sonde, 'globex/site')
  for (const [org, name, role] of [
    ['acme', 'ann', 'owner'],
    ['acme', 'vic', 'viewer'],
    ['acme', 'mia', 'viewer'],
    ['acme', 'sam', 'member'],
    ['globex', 'bob', 'owner'],
  ] as const)
    sondeJson(data.dir, [
      'user',
      'create',
      '--org',
      org,
      '--email',
      `${name}@example.com`,
      '--role',
      role,
      '--password',
      PASSWORD,
    ])
  const token = (org: string, scopes: readonly string[]): Asker => {
    const args = [
      'token',
      'create',
      '--org',
      org,
      '--name',
      `${org} ${scopes.length}`,
      '--scopes',
      scopes.join(),
    ]
    const made = sondeJson<{ token: string }>(data.dir, args)
    return { url: sonde.url, headers: { authorization: `Bearer ${made.token}` } }
  }
  const all = SCOPES.filter((scope) => scope !== 'org:ci')
  const [operator, ann, viewer, bob] = [
    await signedIn(sonde, OWNER.email),
    await signedIn(sonde, 'ann@example.com'),
    await signedIn(sonde, 'vic@example.com'),
    await signedIn(sonde, 'bob@example.com'),
  ]
  const tokens = {
    acme: token('acme', all),
    globex: {
      'a token of the command line': token('globex', all),
      'a token of builds': token('globex', ['org:ci']),
      'a personal token': await personalToken(bob, 'globex', all),
    },
  }
  await personalToken(ann, 'acme', ['org:read'])
  // To be renamed and deleted, one by the API and one by a form.
  for (const scopes of [
    ['org:read', 'event:read'],
    ['org:read', 'event:read'],
  ])
    token('acme', scopes)
  const filled = await fillAcme(sonde, shop, spare, tokens.acme)
  const acme = {
    ...filled,
    ...(await trackerOf(ann, tokens.acme, filled, github.url)),
    ...(await commentsOf(ann, tokens.acme, filled, data.dir)),
    ...(await ssoOf(ann, bob, data.dir)),
  }
  await eventIn(site, 'of globex', newEventId())
  await apiClient(sonde).until('/api/0/projects/globex/site/issues/', (list: unknown[]) => list.length === 1)
  const nobody = { url: sonde.url, headers: { origin: sonde.url } }
  return {
    sonde,
    acme,
    nothing: nothingFor(acme),
    globex: { org: 'globex', project: 'site', projectId: site.id },
    askers: { operator, ann, viewer, bob, nobody },
    tokens,
    secrets: [SECRET, shop.publicKey, spare.publicKey],
    signedIn: (email) => signedIn(sonde, email),
    personalToken,
    records: () => recordsOf(data.dir, Number(acme['orgId'])),
    async close() {
      assert.equal(await sonde.stop(), 0)
      github.close()
      data.remove()
    },
  }
}

async function signedIn({ url }: RunningSonde, email: string): Promise<Asker> {
  const answer = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ email, password: PASSWORD }),
  })
  assert.equal(answer.status, 303, email)
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
  return { url, headers: { cookie, origin: url } }
}

async function personalToken(
  { url, headers }: Asker,
  org: string,
  scopes: readonly string[],
): Promise<Asker> {
  const body = new URLSearchParams({ form: 'new-token', org, name: 'mine', currentPassword: PASSWORD })
  for (const scope of scopes) body.append('scopes', scope)
  const answer = await fetch(`${url}/settings/account`, {
    method: 'POST',
    headers: { ...headers, 'x-sonde-page': '1' },
    body,
  })
  const made = /"madeToken":\{[^}]*"token":"([^"]+)"/.exec(await answer.text())?.[1]
  assert.ok(made, 'a personal token was made')
  return { url, headers: { authorization: `Bearer ${made}` } }
}

/** What no door would let in: only a log of its own can hold it. */
async function deadLetterIn(dir: string): Promise<void> {
  const log = await openLogWriter({ dir: join(dir, 'log'), logger: silentLogger })
  const meta = { v: 1, kind: 'envelope', receivedMs: Date.now(), projectId: 1, keyId: 1, client: 'x/1' }
  await log.append(Buffer.from(`${JSON.stringify(meta)}\nno envelope, ${SECRET}`))
  await log.close()
}

/** Of the same form, so that an answer can differ only by what is there. */
function nothingFor(acme: Names): Names {
  return Object.fromEntries(
    Object.entries(acme).map(([name, value]) => {
      if (name === 'org') return [name, 'nowhere']
      if (name === 'debugId') return [name, value.replaceAll('1', '9')]
      if (/^\d+$/.test(value)) return [name, '987654']
      if (/^[0-9a-f]{16,}$/.test(value)) return [name, '9e'.repeat(value.length / 2)]
      return [name, name === 'issue' ? 'SHOP-987654' : `no-${value.replaceAll(SECRET, 'such')}`]
    }),
  )
}

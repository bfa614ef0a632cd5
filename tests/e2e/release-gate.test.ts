/** A deployment gate: a rule judges each release and posts the verdict to a receiver of webhooks beside it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openReceiver } from '../../packages/alerts/test/harness.ts'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { signedInPlain } from './plain-page.ts'

type Told = {
  readonly type: string
  readonly data: {
    readonly title: string
    readonly verdict: { readonly verdict: string; readonly release: string; readonly before: string }
  }
}

let sonde: RunningSonde
let shop: CreatedProject
const receiver = await openReceiver()
before(async () => {
  sonde = await startSonde({ env: { SONDE_OUTGOING_ALLOW: '127.0.0.0/8' } })
  shop = createProject(sonde, 'acme/shop')
})
after(async () => {
  receiver.close()
  assert.equal(await sonde?.stop(), 0)
})

async function sendSessions(release: string, crashed: number): Promise<void> {
  const started = new Date(Date.now() - 60_000).toISOString()
  const aggregates = [{ started, exited: 5_000 - crashed, crashed }]
  const payload = JSON.stringify({ aggregates, attrs: { release, environment: 'production' } })
  const sent = await fetch(
    `${sonde.url}/api/${shop.id}/envelope/?sentry_key=${shop.publicKey}&sentry_version=7`,
    { method: 'POST', body: `{}\n{"type":"sessions"}\n${payload}\n` },
  )
  assert.equal(sent.status, 200)
}

/** An hour passes for what is there. */
function letAnHourPass(): void {
  const records = new DatabaseSync(join(sonde.dataDir, 'records.sqlite'))
  records.exec('PRAGMA busy_timeout = 10000')
  records.exec('UPDATE alert_rule_state SET evaluated_ms = evaluated_ms - 7200000')
  records.exec(
    `UPDATE release_project SET first_event_ms = first_event_ms - 3600000
     WHERE release_id IN (SELECT id FROM release WHERE version = 'shop@2.0.0')`,
  )
  records.close()
}

test('a rule about releases posts one signed verdict for each, again while nobody takes it, and has its incident', async () => {
  const page = await signedInPlain(sonde.url)
  await page.goto('/acme/settings/channels?kind=webhook')
  page.fill('Name', 'Gate')
  page.fill('URL', `${receiver.url}/gate`)
  await page.press('Add Webhook channel')
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(page.text)?.[0] ?? ''

  await sendSessions('shop@1.0.0', 10)
  const api = apiClient(sonde)
  const isSeen = (version: string) => (releases: readonly { version: string; firstEvent: string | null }[]) =>
    releases.some((release) => release.version === version && release.firstEvent !== null)
  await api.until('/api/0/projects/acme/shop/releases/', isSeen('shop@1.0.0'))

  await page.goto('/acme/shop/alerts/new')
  await page.follow('Release')
  page.shows('Would not have fired in the last 14 days.')
  page.fill('Name', 'Deployment gate')
  page.fill('Minutes after it begins', '0')
  page.check('Gate')
  await page.press('Save rule')
  assert.equal(page.status, 422)
  page.shows('Is at least a minute')
  page.fill('Minutes after it begins', '30')
  await page.press('Save rule')
  page.shows(/A release is worse, 30 minutes after its first event/)
  page.shows(/Tells all members[^]*Gate/)

  let isAway = true
  receiver.answer(() => ({ status: isAway ? 503 : 200 }))
  await sendSessions('shop@2.0.0', 900)
  await api.until('/api/0/projects/acme/shop/releases/', isSeen('shop@2.0.0'))
  letAnHourPass()
  const told = () => receiver.received.filter(({ path }) => path === '/gate')
  await eventually(() => told().length > 0)
  isAway = false
  await eventually(() => told().length > 1)
  const [first, second] = told()
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
  const body = new Webhook(secret).verify(
    second?.body ?? '',
    (second?.headers ?? {}) as Record<string, string>,
  ) as Told
  assert.deepEqual(
    [body.type, body.data.verdict.verdict, body.data.verdict.release, body.data.verdict.before],
    ['alert.release', 'worse', 'shop@2.0.0', 'shop@1.0.0'],
  )

  await page.goto('/acme/shop/alerts/incidents')
  await page.follow('Deployment gate')
  page.shows('shop@2.0.0 is worse than shop@1.0.0.')
  page.shows('More sessions crash: +17.8 points')
  page.shows('Gate')
  // The rule is asked again every 15 seconds: what was judged stays so.
  await page.goto('/acme/shop/alerts')
  await page.follow('Deployment gate')
  page.shows('1 incident of this rule meanwhile')
  assert.equal(page.valueOf('Minutes after it begins'), '30')
  assert.equal(told().length, 2)
})

async function eventually(holds: () => boolean): Promise<void> {
  const untilMs = Date.now() + 60_000
  while (!holds()) {
    assert.ok(Date.now() < untilMs, 'waited for it for 60 s')
    // The receiver is in this process.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

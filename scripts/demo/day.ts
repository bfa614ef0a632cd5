/**
 * A day of the shop's team, in some minutes: a new error is told and somebody takes it, many at once are one mail, issues are merged,
 * the error is resolved in the next release, comes back there, and who resolved it is told; that release is judged worse by the
 * deployment gate; what got too frequent resolves itself.
 * Each step waits for what really arrives.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { defaultStackParser, makeNodeTransport, NodeClient, Scope } from '@sentry/node'
import { deployWorse, gateIsTold, setGate } from './gate.ts'
import type { Mailbox } from './mailbox.ts'
import type { DemoSonde } from './sonde.ts'
import { resolveInNextRelease, workOnIssue } from './team.ts'

type Day = {
  readonly sonde: DemoSonde
  readonly mailbox: Mailbox
  readonly dsn: string
  readonly say: (text: string) => void
}

const SOON_MS = 30_000
/** Its window ends with a minute, and the next one without errors ends it. */
const INCIDENT_MS = 240_000
/** More than ten messages to one place within a minute become a digest. */
const QUIET_MS = 65_000
const OFTEN = 30
const MANY = 40

export async function liveThroughDay({ sonde, mailbox, dsn, say }: Day): Promise<void> {
  const api = apiOf(sonde)
  const made = sonde.json([
    'alert',
    'create',
    '--project',
    'default/api',
    '--type',
    'new_issue,regression',
    '--slack',
    mailbox.slackUrl,
  ])
  const { channelId } = made as { readonly channelId: number }
  await api('POST', 'organizations/default/alert-rules/', busyRule(channelId))
  await setGate(api, channelId)
  const line = (text: string): void => say(`  ${new Date().toLocaleTimeString()}  ${text}`)

  const stockError = () => new RangeError('the stock of a product was below zero')
  const first = await sendAll(dsn, 'api@2.4.0', [stockError()])
  const slack = await mailbox.until(
    first,
    ({ by, text }) => by === 'Slack' && text.includes('below zero'),
    SOON_MS,
  )
  line(`Slack, ${secondsAfter(first, slack.atMs)} after the error: ${slack.text}`)
  const shown = await fetch(slack.url, { redirect: 'manual' })
  line(
    `Its link leads to ${new URL(slack.url).pathname} (${shown.status === 200 ? 'open' : 'after signing in'})`,
  )

  const storm = await sendAll(
    dsn,
    'api@2.4.0',
    Array.from({ length: MANY }, (_, at) => failureOf(at)),
  )
  const mail = await mailbox.until(
    storm,
    // Not that of what came before. The first ten of a minute have mails of their own.
    ({ by, text }) => by === 'mail' && Number(/(\d+) alerts in/.exec(text)?.[1] ?? 0) > MANY / 2,
    90_000,
  )
  line(`Of ${MANY} new issues within a second the last mail stands for many: ${mail.text}`)

  const found = (await api('GET', 'projects/default/api/issues/?query=below+zero')) as { id: string }[]
  const issueId = found[0]?.id ?? ''
  await workOnIssue({ sonde, mailbox, issueId, line })
  const resolver = await resolveInNextRelease(sonde, issueId)
  await api('POST', 'organizations/default/releases/', { version: 'api@2.4.1', projects: ['api'] })
  const deployed = await deployWorse(api, dsn, { release: 'api@2.4.1', before: 'api@2.4.0' })
  line(`${resolver.name} has resolved it in the next release, api@2.4.1, which is deployed`)
  line('A minute without messages, so that what comes next is no part of a digest')
  await wait(Math.max(0, storm + QUIET_MS - Date.now()))
  const again = await sendAll(dsn, 'api@2.4.1', [stockError()])
  const regressed = await mailbox.until(
    again,
    ({ by, text }) => by === 'Slack' && /regress/i.test(text),
    SOON_MS,
  )
  line(`Slack, ${secondsAfter(again, regressed.atMs)} after it came back: ${regressed.text}`)
  const back = await mailbox.until(
    again,
    ({ to, text }) => to === resolver.email && /regress/i.test(text),
    90_000,
  )
  line(`Mail to ${resolver.name}, who resolved it: ${back.text}`)

  const often = await sendAll(dsn, 'api@2.4.1', Array.from({ length: OFTEN }, stockError))
  const opened = await mailbox.until(
    often,
    ({ text }) => text.includes(BUSY) && !/resolved/i.test(text),
    INCIDENT_MS,
  )
  line(`An incident, ${secondsAfter(often, opened.atMs)} after ${OFTEN} errors: ${opened.text}`)
  const ended = await mailbox.until(
    opened.atMs + 1,
    ({ text }) => text.includes(BUSY) && /resolved/i.test(text),
    INCIDENT_MS,
  )
  line(`It resolved itself ${secondsAfter(opened.atMs, ended.atMs)} later: ${ended.text}`)
  // Told meanwhile.
  const gate = await gateIsTold(mailbox, deployed)
  line(`The deployment gate, ${secondsAfter(deployed, gate.atMs)} after the deploy: ${gate.text}`)
}

const secondsAfter = (fromMs: number, toMs: number): string => `${((toMs - fromMs) / 1_000).toFixed(1)} s`

/** All of them, by the SDK that a Node program has. Returns when the first was made. */
async function sendAll(dsn: string, release: string, errors: readonly Error[]): Promise<number> {
  const client = new NodeClient({
    dsn,
    release,
    environment: 'production',
    integrations: [],
    transport: makeNodeTransport,
    stackParser: defaultStackParser,
  })
  client.init()
  const scope = new Scope()
  scope.setClient(client)
  // What the team of the warehouse owns.
  scope.setTag('area', errors.some((error) => error instanceof RangeError) ? 'stock' : 'suppliers')
  const beganMs = Date.now()
  for (const error of errors) scope.captureException(error)
  await client.close(SOON_MS)
  return beganMs
}

/** Each is an issue of its own. */
const WORDS = ['amber', 'birch', 'cedar', 'dune', 'elm', 'fern', 'grove', 'heath', 'iris', 'juniper'] as const
function failureOf(at: number): Error {
  const name = `${WORDS[at % 10] ?? ''}${WORDS[Math.floor(at / 10)] ?? ''}`
  const error = new Error(`the supplier of ${name} did not answer`)
  error.name = `Supplier${name}Error`
  return error
}

const BUSY = 'Too many errors of the API'

const slackAction = (integrationId: number) => ({ type: 'slack', targetType: 'specific', integrationId })

/** Sentry's metric alert rule. */
const busyRule = (channelId: number) => ({
  name: BUSY,
  dataset: 'events',
  eventTypes: ['error'],
  query: '',
  aggregate: 'count()',
  timeWindow: 1,
  thresholdType: 0,
  resolveThreshold: null,
  projects: ['api'],
  environment: null,
  triggers: [{ label: 'critical', alertThreshold: OFTEN / 2, actions: [slackAction(channelId)] }],
})

function apiOf(sonde: DemoSonde) {
  const token = sonde.tokenFor('alerts:write,event:write,project:releases,event:read')
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${sonde.url}/api/0/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
}

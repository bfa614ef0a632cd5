/** Real records and telemetry with two organizations, a receiver of webhooks and a mail server on this machine. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAccess } from '@sonde/access'
import { createLocalBus, fixedClock, silentLogger } from '@sonde/base'
import { createOutgoing, type Outgoing } from '@sonde/outgoing'
import {
  encodeEventRow,
  type EventFields,
  type IssueChangeKind,
  noteIssueChanges,
  withIssueId,
} from '@sonde/stores'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { openEngines } from '../../../tests/harness/engines.ts'
import {
  type AlertsDeps,
  type AnyRule,
  createMailer,
  createPusher,
  type IssueRuleInput,
  ISSUE_RULE,
  isWindowed,
  METRIC_RULE,
  type MetricRuleInput,
  newSigningSecret,
  RELEASE_RULE,
  type ReleaseRuleInput,
} from '../src/index.ts'
import { evaluateChanges } from '../src/issues/evaluate-changes.ts'
import { deliverDue } from '../src/outbox/deliver.ts'
import { judgeReleases } from '../src/releases/judge-releases.ts'
import { evaluateWindows } from '../src/windows/evaluate-windows.ts'
import { tellChanges } from '../src/workflow/tell-changes.ts'

export const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 0)

/** Not encrypted: what encrypts is another package's, and tested there. */
const createOpenGrantsOf = (records: Parameters<typeof createAccess>[0]['records']) =>
  createAccess({
    records,
    secret: 'a secret of at least thirty-two characters',
    publicUrl: 'https://sonde.test',
    clock: fixedClock(NOW_MS),
    logger: silentLogger,
  })

const seal = {
  seal: async (text: string) => `sealed ${text}`,
  open: async (sealed: string) => sealed.slice('sealed '.length),
}

export type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }
export type Answering = (request: Received) => {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Keeps every request; answers 200 unless told otherwise. */
export async function openReceiver() {
  const received: Received[] = []
  let answering: Answering = () => ({ status: 200 })
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const request = { path: req.url ?? '', headers: req.headers, body: Buffer.concat(parts).toString() }
      received.push(request)
      const { status, headers = {}, body = status === 200 ? 'ok' : 'no' } = answering(request)
      res.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next: Answering) => (answering = next),
    close: () => (server.closeAllConnections(), server.close()),
  }
}

/** Takes mail for everybody but `nobody@…`, without encryption: it never leaves the machine. */
export async function openMailServer() {
  const mails: (ParsedMail & { readonly to: string })[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const error = address.startsWith('nobody@')
        ? Object.assign(new Error('no such user'), { responseCode: 550 })
        : null
      done(error)
    },
    onData(stream, { envelope }, done) {
      void simpleParser(stream).then((mail) => {
        mails.push({ ...mail, to: envelope.rcptTo[0]?.address ?? '' } as never)
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** `through`: requests to services whose addresses are not settings reach servers of the test. */
export async function openHarness(through: (outgoing: Outgoing) => Outgoing = (outgoing) => outgoing) {
  const clock = fixedClock(NOW_MS)
  const { records, telemetry, close } = await openEngines(clock)
  const [receiver, mail] = [await openReceiver(), await openMailServer()]
  const outgoing = createOutgoing({ allowed: ['127.0.0.0/8'], userAgent: 'Sonde/test' })
  const publicUrl = 'https://sonde.test'
  const mailer = createMailer({ url: mail.url, from: 'Sonde <sonde@sonde.test>', publicUrl })
  const logger = silentLogger
  const access = createOpenGrantsOf(records)
  const deps: AlertsDeps = {
    access,
    lagMs: async () => 0,
    spikeFloor: 600,
    records,
    telemetry,
    clock,
    logger,
    publicUrl,
    mailer,
    bus: createLocalBus(logger),
    channels: { outgoing: through(outgoing), seal },
    pusher: createPusher({ records, seal, outgoing: through(outgoing), publicUrl }),
  }
  let count = 0
  async function insertRule(
    projectId: number,
    rule: AnyRule,
    more: { readonly muted_until_ms?: number } = {},
  ) {
    const { id } = await records
      .insertInto('alert_rule')
      .values({
        project_id: projectId,
        kind: rule.kind,
        name: 'Rule',
        value: JSON.stringify(rule.rule),
        origin: '',
        created_by: 'operator:cli',
        created_ms: NOW_MS,
        updated_ms: NOW_MS,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const evaluated_ms = Math.floor(clock.nowMs() / 60_000) * 60_000
    if (isWindowed(rule))
      await records.insertInto('alert_rule_state').values({ rule_id: id, evaluated_ms }).execute()
    return id
  }
  return {
    deps,
    access,
    clock,
    records,
    receiver,
    mail,
    /** Of an organization of its own unless told. */
    async project(slug: string, of?: number) {
      const orgSlug = `org-${++count}`
      const orgId =
        of ??
        (
          await records
            .insertInto('organization')
            .values({ slug: orgSlug, name: orgSlug, created_ms: NOW_MS })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id
      const { id } = await records
        .insertInto('project')
        .values({ org_id: orgId, slug, name: slug, platform: 'javascript', created_ms: NOW_MS })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, orgId, orgSlug, slug }
    },
    async member(orgId: number, email: string): Promise<string> {
      const id = `user-${++count}`
      const at = new Date(NOW_MS).toISOString()
      await records
        .insertInto('user')
        .values({ id, email, name: email, createdAt: at, updatedAt: at, emailVerified: 1 } as never)
        .execute()
      await records
        .insertInto('member')
        .values({ org_id: orgId, user_id: id, role: 'member', created_ms: NOW_MS })
        .execute()
      return id
    },
    async webhook(orgId: number, path = '/hook') {
      const key = newSigningSecret(randomBytes(32))
      const { id } = await records
        .insertInto('notification_channel')
        .values({
          org_id: orgId,
          kind: 'webhook',
          name: path,
          settings: JSON.stringify({ url: `${receiver.url}${path}` }),
          secret: await seal.seal(JSON.stringify({ key })),
          created_by: 'operator:cli',
          created_ms: NOW_MS,
          updated_ms: NOW_MS,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, key }
    },
    /** Its watermark is the minute that the clock is in. */
    async metricRule(projectId: number, rule: MetricRuleInput) {
      const id = await insertRule(projectId, { kind: 'metric', rule: METRIC_RULE.parse(rule) })
      return id
    },
    rule: (projectId: number, rule: IssueRuleInput, more: { readonly muted_until_ms?: number } = {}) =>
      insertRule(projectId, { kind: 'issue', rule: ISSUE_RULE.parse(rule) }, more),
    /** Releases that begin from the minute that the clock is in on. */
    releaseRule: (
      projectId: number,
      rule: ReleaseRuleInput,
      more: { readonly muted_until_ms?: number } = {},
    ) => insertRule(projectId, { kind: 'release', rule: RELEASE_RULE.parse(rule) }, more),
    /** Judges the releases that are due, and delivers. Returns how many were told. */
    async judge() {
      const told = await judgeReleases(deps, new AbortController().signal)
      while ((await deliverDue(deps, new AbortController().signal)) > 0);
      return told
    },
    /** A release with so many sessions, of which some crashed; its first event is now. */
    async release(
      { id: projectId, orgId }: { readonly id: number; readonly orgId: number },
      version: string,
      {
        crashed,
        of = 5_000,
        hasEvent = true,
      }: { readonly crashed: number; readonly of?: number; readonly hasEvent?: boolean },
    ) {
      const now = clock.nowMs()
      const { id } = await records
        .insertInto('release')
        .values({ org_id: orgId, version, created_ms: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      await records
        .insertInto('release_project')
        .values({
          release_id: id,
          project_id: projectId,
          first_event_ms: hasEvent ? now : null,
          last_event_ms: hasEvent ? now : null,
        })
        .execute()
      const time = new Date(now).toISOString().slice(0, -1).replace('T', ' ')
      const row = {
        project_id: projectId,
        received: time,
        started: time,
        session_id: String(++count).padStart(32, '0'),
        release: version,
        environment: 'production',
        version: count,
        healthy: of - crashed,
        crashed,
      }
      await telemetry.command(`INSERT INTO sessions FORMAT JSONEachRow ${JSON.stringify(row)}`)
      return id
    },
    /** Looks at all windows that are over, and delivers. */
    async minute() {
      while ((await evaluateWindows(deps)) > 0);
      while ((await deliverDue(deps, new AbortController().signal)) > 0);
    },
    /** More events of an issue, received now. */
    async events(projectId: number, issueId: number, number: number, fields: Partial<EventFields> = {}) {
      const rows = Array.from({ length: number }, () => {
        const at = ++count
        const eventId = at.toString(16).padStart(32, '0')
        const now = clock.nowMs()
        const row = {
          ...EVENT,
          projectId,
          eventId,
          title: 'E',
          logPosition: at,
          timestampMs: now,
          receivedMs: now,
          ...fields,
        }
        return withIssueId(encodeEventRow(row as EventFields), issueId)
      })
      await telemetry.insert('events', rows, `events-${count}`)
    },
    at: (ms: number) => clock.advance(ms - clock.nowMs()),
    /** An issue with one stored event. */
    async issue(projectId: number, fields: Partial<EventFields> = {}) {
      const number = ++count
      const eventId = number.toString(16).padStart(32, '0')
      const title = fields.title ?? `TypeError: number ${number}`
      const { id } = await records
        .insertInto('issue')
        .values({
          project_id: projectId,
          short_number: number,
          type: 'error',
          level: 'error',
          title,
          culprit: 'cart in checkout',
          platform: 'javascript',
          metadata: JSON.stringify({
            type: 'TypeError',
            value: 'x',
            filename: 'src/cart.ts',
            function: 'pay',
          }),
          logger: '',
          is_unhandled: 1,
          first_seen_ms: NOW_MS,
          last_seen_ms: NOW_MS,
          event_count: 1,
          first_release: 'shop@1.0.0',
          last_release: 'shop@1.0.0',
          last_event_id: eventId,
          created_ms: NOW_MS,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const row = { ...EVENT, projectId, eventId, title, logPosition: number, ...fields } as EventFields
      await telemetry.insert('events', [withIssueId(encodeEventRow(row), id)], `event-${number}`)
      return { id, eventId, shortId: number }
    },
    change: (projectId: number, issueId: number, kind: IssueChangeKind, eventId = '') =>
      noteIssueChanges(records, [{ projectId, issueId, kind, eventId }], clock.nowMs()),
    /** Looks at all changes and delivers all that is due. */
    async settle() {
      while ((await evaluateChanges(deps)) > 0);
      while ((await tellChanges(deps)) > 0);
      while ((await deliverDue(deps, new AbortController().signal)) > 0);
    },
    async close() {
      await mailer.close()
      await outgoing.close()
      receiver.close()
      await mail.close()
      await close()
    },
  }
}
export type Harness = Awaited<ReturnType<typeof openHarness>>

export const EVENT: Partial<EventFields> = {
  timestampMs: NOW_MS,
  receivedMs: NOW_MS,
  logPartition: 0,
  itemIndex: 0,
  type: 'error',
  level: 'error',
  platform: 'javascript',
  release: 'shop@1.0.0',
  dist: '',
  environment: 'production',
  transaction: '/cart',
  culprit: 'cart in checkout',
  exceptionType: 'TypeError',
  exceptionValue: 'x',
  message: '',
  handled: 'no',
  userKey: 'id:1',
  sdkName: 'sentry.javascript.browser',
  sdkVersion: '10.0.0',
  traceId: '',
  spanId: '',
  url: 'https://shop.test/cart',
  tags: {},
  hashes: [],
  payload: '{}',
  debugIds: [],
  unreadable: '',
  revision: 0,
}

/**
 * Signing in by the provider of an organization, from the button to a person whom the provider has named. Who that person is
 * here, and whether they are let in, is a command's (`admitSsoPerson`); then `startSession` lets them in.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Clock, SondeError } from '@sonde/base'
import type { Outgoing } from '@sonde/outgoing'
import { type Records, writeTransaction } from '@sonde/stores'
import type { Cookies } from '../auth/known-device.ts'
import type { Seal } from '../auth/reencrypt.ts'
import type { SecurityEvents } from '../auth/security-events.ts'
import type { StartSession, StartSessionInput } from '../auth/start-session.ts'
import type { TryLimit } from '../auth/try-limit.ts'
import type { UserViewer } from '../viewer.ts'
import {
  connectionOf,
  doorOf,
  doorsOfDomain,
  oidcProvider,
  openDoors,
  samlProvider,
  ssoAddresses,
  type SsoConnection,
  type SsoDoor,
} from './connection.ts'
import { createSsoFlows, type NewSsoFlow, type SsoFlow, type SsoIntent } from './flow.ts'
import { createOidc } from './oidc.ts'
import { domainOf, type SsoFailure, type SsoPerson, SsoRefusal } from './provider.ts'
import { METADATA_MAX_CHARS } from './saml-metadata.ts'
import { beginSaml, samlMetadata, takeSaml } from './saml.ts'

export type SsoStart = {
  readonly orgSlug: string
  readonly intent: SsoIntent
  readonly viewer: UserViewer | undefined
  /** Of `connect` and `test`: `proofOf` that viewer, so that no other page begins it. */
  readonly proof?: string | undefined
  readonly next?: string | undefined
  readonly isFromProvider?: boolean
}

/** `location`: where the browser goes. */
type Sent = { readonly location: string; readonly setCookies: readonly string[] }

export type SsoReturn = {
  readonly connection: SsoConnection
  /** Undefined: this browser began nothing, or too long ago. */
  readonly flow: SsoFlow | undefined
  /** A `Set-Cookie` value: what this browser began is over. */
  readonly clearCookie: string
}

export type SingleSignOn = {
  /** Those that are on, at most two: the sign-in page shows one by its name. */
  doors(): Promise<readonly SsoDoor[]>
  /** Undefined: there is none, or it is off. */
  door(orgSlug: string): Promise<SsoDoor | undefined>
  /** By the domain of an address, where an organization has proved that it is its own. */
  doorsFor(email: string): Promise<readonly SsoDoor[]>
  /** Goes into a link of a page of ours that begins `test` or `connect`. */
  proofOf(viewer: UserViewer, orgSlug: string): string
  /** Throws `SsoRefusal`. */
  begin(start: SsoStart): Promise<Sent>
  /** What this browser began. Throws `SsoRefusal` (`off`). */
  returned(orgSlug: string, headers: Headers): Promise<SsoReturn>
  /** The rest of OpenID Connect. Throws `SsoRefusal`. */
  finishOidc(back: SsoReturn, query: string): Promise<SsoPerson>
  /** Our metadata; undefined: there is no such organization. */
  metadata(orgSlug: string): Promise<string | undefined>
  /**
   * What a SAML provider posted, in whose hands the browser was. `unasked`: it began there. Otherwise the address at which the
   * browser, with its cookie again, comes for it. Throws `SsoRefusal`.
   */
  takeSaml(orgSlug: string, response: string): Promise<{ readonly location: string }>
  /** Throws `SsoRefusal`. */
  finishSaml(back: SsoReturn, ticket: string): Promise<SsoPerson>
  /** A session that opens this organization alone. Throws `SondeError` (`forbidden`: disabled). */
  startSession(
    input: Omit<StartSessionInput, 'reason'>,
    connection: Pick<SsoConnection, 'org_id' | 'session_hours' | 'kind'>,
  ): Promise<readonly string[]>
  /** Into the log. False: the organization has had its rows of the audit of today. */
  recordFailure(orgId: number, reason: SsoFailure, address: string | undefined): Promise<boolean>
  /** The metadata of a SAML provider, as it lies at an address. Throws `SsoRefusal`. */
  fetchMetadata(url: string): Promise<string>
  /** Asks the provider what it says of itself; for people. Throws `SsoRefusal`. */
  check(connection: SsoConnection): Promise<string>
}

export type SingleSignOnDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly seal: Seal
  readonly cookies: Cookies
  readonly secret: string
  readonly publicUrl: string
  readonly startSession: StartSession
  readonly events: SecurityEvents
  readonly limit: TryLimit
  /** Undefined: nothing may be asked from here, so no sign-in begins. */
  readonly outgoing: Pick<Outgoing, 'request'> | undefined
}

const TICKET_MS = 60_000
/** Whoever begins sign-ins and fails must not fill the audit. */
const AUDITED_FAILURES_A_DAY = 200
const HOUR_MS = 60 * 60_000

export function createSingleSignOn(deps: SingleSignOnDeps): SingleSignOn {
  const { records, clock, seal, publicUrl, outgoing } = deps
  const flows = createSsoFlows(deps.cookies, seal, clock)
  const request: Outgoing['request'] = async (wanted) => {
    if (!outgoing) throw new SsoRefusal('unreachable', 'this process asks nobody')
    return outgoing.request(wanted)
  }
  const oidc = createOidc(request)
  const connectionFor = async (orgSlug: string): Promise<SsoConnection> => {
    const connection = await connectionOf(records, orgSlug)
    if (connection) return connection
    throw new SsoRefusal('off', `the organization "${orgSlug.slice(0, 100)}" has no single sign-on`)
  }
  const proofOf = ({ userId, sessionId }: UserViewer, orgSlug: string): string =>
    createHmac('sha256', deps.secret)
      .update(JSON.stringify(['sonde sso', userId, sessionId, orgSlug]))
      .digest('base64url')
  const useOnce = (key: string, untilMs: number): Promise<boolean> =>
    writeTransaction(records, async (tx) => {
      await tx.deleteFrom('sso_used').where('until_ms', '<=', clock.nowMs()).execute()
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('sso_used')
        .values({ key_hash: hash(key), until_ms: untilMs })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    })

  return {
    doors: () => openDoors(records, 2),
    async door(orgSlug) {
      const connection = await connectionOf(records, orgSlug)
      return connection?.is_on === 1 ? doorOf(connection) : undefined
    },
    doorsFor: (email) => doorsOfDomain(records, domainOf(email.trim().toLowerCase().slice(0, 320))),
    proofOf,
    async begin({ orgSlug, intent, viewer, proof = '', next, isFromProvider }) {
      const connection = await connectionFor(orgSlug)
      if (intent === 'sign-in') {
        if (connection.is_on !== 1)
          throw new SsoRefusal('off', `single sign-on of "${orgSlug}" is switched off`)
      } else if (!viewer || !isSame(proof, proofOf(viewer, orgSlug))) {
        throw new SsoRefusal('other-person', 'this was begun by nobody, or by somebody else')
      }
      const flow: NewSsoFlow = {
        connectionId: connection.id,
        intent,
        next,
        ...(intent !== 'sign-in' && viewer && { userId: viewer.userId }),
        ...(isFromProvider === true && { isFromProvider }),
      }
      if (connection.kind === 'saml') {
        const { location, requestId } = await beginSaml(samlProvider(connection, publicUrl))
        return { location, setCookies: [await flows.write({ ...flow, requestId })] }
      }
      const { location, proof: kept } = await oidc.begin(await oidcProvider(connection, seal, publicUrl))
      return { location, setCookies: [await flows.write({ ...flow, oidc: kept })] }
    },
    async returned(orgSlug, headers) {
      const connection = await connectionFor(orgSlug)
      return {
        connection,
        flow: await flows.read(headers, connection.id),
        clearCookie: flows.clear(),
      }
    },
    async finishOidc({ connection, flow }, query) {
      if (!flow?.oidc) throw began()
      const provider = await oidcProvider(connection, seal, publicUrl)
      const returned = new URL(provider.callbackUrl)
      returned.search = query
      if (returned.searchParams.get('state') !== flow.oidc.state) throw began()
      const person = await oidc.finish(provider, flow.oidc, returned)
      if (!(await useOnce(`state ${flow.oidc.state}`, flow.untilMs))) throw began()
      return person
    },
    async metadata(orgSlug) {
      const org = await records
        .selectFrom('organization')
        .select('id')
        .where('slug', '=', orgSlug)
        .executeTakeFirst()
      const { acs, metadata } = ssoAddresses(publicUrl, orgSlug)
      return org && samlMetadata({ entityId: metadata, acsUrl: acs })
    },
    async takeSaml(orgSlug, response) {
      const connection = await connectionFor(orgSlug)
      const provider = samlProvider(connection, publicUrl)
      const { start } = ssoAddresses(publicUrl, orgSlug)
      const answer = await takeSaml(provider, response, clock.nowMs())
      if (answer.inResponseTo === undefined) {
        if (provider.settings.allowsProviderStart) return { location: `${start}?from=provider` }
        throw new SsoRefusal('expired', 'the provider sent an answer that nobody asked for')
      }
      if (!(await useOnce(`assertion ${connection.id} ${answer.assertionId}`, answer.untilMs)))
        throw new SsoRefusal('expired', 'this assertion was used before')
      const ticket = randomBytes(32).toString('base64url')
      const person = await seal.seal(JSON.stringify(answer))
      const nowMs = clock.nowMs()
      await writeTransaction(records, async (tx) => {
        await tx.deleteFrom('sso_ticket').where('until_ms', '<=', nowMs).execute()
        await tx
          .insertInto('sso_ticket')
          .values({
            ticket_hash: hash(ticket),
            connection_id: connection.id,
            person,
            until_ms: nowMs + TICKET_MS,
          })
          .execute()
      })
      const { finish } = ssoAddresses(publicUrl, orgSlug)
      return { location: `${finish}?ticket=${ticket}` }
    },
    async finishSaml({ connection, flow }, ticket) {
      const row = await records
        .deleteFrom('sso_ticket')
        .where('ticket_hash', '=', hash(ticket))
        .where('connection_id', '=', connection.id)
        .returning(['person', 'until_ms'])
        .executeTakeFirst()
      if (!row || row.until_ms <= clock.nowMs()) throw began()
      const answer = JSON.parse(await seal.open(row.person)) as Awaited<ReturnType<typeof takeSaml>>
      // Somebody else's answer, which they lead this browser to, is not taken.
      if (flow?.requestId === undefined || flow.requestId !== answer.inResponseTo) throw began()
      return answer.person
    },
    async startSession(input, { org_id, session_hours, kind }) {
      const { setCookies, sessionId } = await deps.startSession({ ...input, reason: kind })
      const until_ms = clock.nowMs() + session_hours * HOUR_MS
      await records.insertInto('sso_session').values({ session_id: sessionId, org_id, until_ms }).execute()
      return setCookies
    },
    async recordFailure(orgId, reason, address) {
      await deps.events.record({ event: 'sso_failed', userId: undefined, address, reason })
      const key = `audited sso failures of ${orgId}`
      const bound = { name: 'audit', key, maxTries: AUDITED_FAILURES_A_DAY, windowMs: 24 * HOUR_MS } as const
      return 'filled' in (await deps.limit.take([bound]))
    },
    async fetchMetadata(url) {
      try {
        const answer = await request({ url, method: 'GET', maxBytes: METADATA_MAX_CHARS })
        if (answer.status === 200 && answer.isWhole) return answer.body
        const said = answer.status === 200 ? 'is too long' : `answered ${answer.status}`
        throw new SsoRefusal('unreachable', `the address of the metadata ${said}`)
      } catch (error) {
        if (error instanceof SsoRefusal || !(error instanceof SondeError)) throw error
        throw new SsoRefusal('unreachable', error.message, error)
      }
    },
    async check(connection) {
      if (connection.kind === 'saml') return samlProvider(connection, publicUrl).settings.signInUrl
      return (await oidc.check(await oidcProvider(connection, seal, publicUrl))).signInUrl
    },
  }
}

const began = (): SsoRefusal =>
  new SsoRefusal('expired', 'this browser did not begin this sign-in, or too long ago, or finished it before')

/** 256 bits of chance need no slow hash. */
const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hash(one)), Buffer.from(hash(other)))

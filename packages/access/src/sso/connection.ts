/** The provider of an organization as it lies in the records, read and opened. */
import type { Records, Selectable, SsoConnectionTable, SsoKind } from '@sonde/stores'
import { z } from 'zod'
import type { Seal } from '../auth/reencrypt.ts'
import type { OidcProvider } from './oidc.ts'
import { SsoRefusal } from './provider.ts'
import type { SamlProvider } from './saml.ts'

const url = z.url({ protocol: /^https?$/, error: 'is an address that begins with https://' }).max(500)
const word = (max: number) => z.string().trim().min(1, 'is needed').max(max, `has at most ${max} characters`)

export const OIDC_SETTINGS = z.object({
  issuer: url,
  clientId: word(500),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'is a word'))
    .max(20)
    .default([]),
  groupsClaim: word(200).default('groups'),
  trustsEmail: z.boolean().default(false),
})

export const SAML_SETTINGS = z.object({
  entityId: word(1_000),
  signInUrl: url,
  certificates: z.array(z.string().max(20_000)).min(1, 'is needed').max(10, 'has at most 10'),
  emailAttribute: z.string().trim().max(500).default(''),
  nameAttribute: z.string().trim().max(500).default(''),
  groupsAttribute: z.string().trim().max(500).default(''),
  allowsProviderStart: z.boolean().default(false),
})

export type SsoConnection = Omit<Selectable<SsoConnectionTable>, 'settings'> & {
  readonly orgSlug: string
  readonly orgName: string
  readonly settings: unknown
}

/** What a page without a sign-in may show of it. */
export type SsoDoor = {
  readonly orgSlug: string
  readonly orgName: string
  /** "Sign in with NAME". */
  readonly name: string
  readonly kind: SsoKind
}

const select = (records: Records) =>
  records
    .selectFrom('sso_connection')
    .innerJoin('organization', 'organization.id', 'sso_connection.org_id')
    .selectAll('sso_connection')
    .select(['organization.slug as orgSlug', 'organization.name as orgName'])

type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

const read = (row: Row): SsoConnection => ({ ...row, settings: JSON.parse(row.settings) as unknown })

export const doorOf = ({ orgSlug, orgName, name, kind }: SsoDoor): SsoDoor => ({
  orgSlug,
  orgName,
  name,
  kind,
})

/** Undefined: the organization has none, or does not exist. Also one that is off. */
export async function connectionOf(records: Records, orgSlug: string): Promise<SsoConnection | undefined> {
  const row = await select(records).where('organization.slug', '=', orgSlug).executeTakeFirst()
  return row && read(row)
}

/** Those that are on, in the order of their organizations. */
export async function openDoors(records: Records, max: number): Promise<readonly SsoDoor[]> {
  const rows = await select(records).where('is_on', '=', 1).orderBy('organization.slug').limit(max).execute()
  return rows.map(doorOf)
}

/** Those whose organization has proved that the domain is its own. */
export async function doorsOfDomain(records: Records, domain: string): Promise<readonly SsoDoor[]> {
  const rows = await select(records)
    .innerJoin('sso_domain', 'sso_domain.org_id', 'sso_connection.org_id')
    .where('is_on', '=', 1)
    .where('sso_domain.domain', '=', domain)
    .where('sso_domain.verified_ms', 'is not', null)
    .orderBy('organization.slug')
    .limit(20)
    .execute()
  return rows.map(doorOf)
}

/** Below which a provider of an organization reaches us: what owners copy into it. */
export const ssoAddresses = (publicUrl: string, orgSlug: string) => {
  const base = `${publicUrl}/api/0/sso/${encodeURIComponent(orgSlug)}`
  return {
    /** Begins a sign-in. */
    start: `${base}/start/`,
    /** OpenID Connect sends the browser here. */
    callback: `${base}/callback/`,
    /** SAML posts here. */
    acs: `${base}/acs/`,
    /** From there the browser comes here. */
    finish: `${base}/finish/`,
    /** Ours, and our entity id. */
    metadata: `${base}/metadata/`,
  }
}

/** Throws `SsoRefusal` for another kind, and when the secret was sealed with a key that is lost. */
export async function oidcProvider(
  connection: SsoConnection,
  seal: Seal,
  publicUrl: string,
): Promise<OidcProvider> {
  if (connection.kind !== 'oidc') throw new SsoRefusal('off', 'this provider does not speak OpenID Connect')
  const secret = await seal.open(connection.secret).catch((error: unknown) => {
    throw new SsoRefusal('wrong-client', 'the client secret cannot be read any more: enter it again', error)
  })
  return {
    settings: OIDC_SETTINGS.parse(connection.settings),
    secret,
    callbackUrl: ssoAddresses(publicUrl, connection.orgSlug).callback,
  }
}

/** Throws `SsoRefusal` for another kind. */
export function samlProvider(connection: SsoConnection, publicUrl: string): SamlProvider {
  if (connection.kind !== 'saml') throw new SsoRefusal('off', 'this provider does not speak SAML')
  const { acs, metadata } = ssoAddresses(publicUrl, connection.orgSlug)
  return { settings: SAML_SETTINGS.parse(connection.settings), entityId: metadata, acsUrl: acs }
}

/** Sets up, switches and ends the sign-in provider of an organization. All of it is its owners'. */
import {
  actorOf,
  type Grant,
  issuerUrl,
  METADATA_MAX_CHARS,
  OIDC_SETTINGS,
  readProviderMetadata,
  SAML_SETTINGS,
  SsoRefusal,
} from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type AuditAction, type Records, SSO_KINDS, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, nameField, readInput } from '../fields.ts'

export type SsoGrant = Grant<'org:write', 'org'>

export const ssoRoleField = z.enum(['admin', 'member', 'viewer'], { error: 'is admin, member or viewer' })

const HOURS = 'is a whole number of hours from 1 to 720'
const SAVE = z.object({
  kind: z.enum(SSO_KINDS, { error: `is one of ${SSO_KINDS.join(', ')}` }),
  name: nameField,
  settings: z.record(z.string(), z.unknown()).default({}),
  /** Of OpenID Connect; left out, it stays. */
  clientSecret: z.string().trim().max(2_000, 'has at most 2000 characters').default(''),
  /** Of SAML, instead of `settings.entityId`, `signInUrl` and `certificates`; both left out: those stay. */
  metadata: z.string().max(METADATA_MAX_CHARS, `has at most ${METADATA_MAX_CHARS} characters`).default(''),
  metadataUrl: z.string().trim().max(2_000).default(''),
  makesAccounts: z.boolean().default(true),
  defaultRole: ssoRoleField.default('member'),
  sessionHours: z.int(HOURS).min(1, HOURS).max(720, HOURS).default(24),
})
export type SaveSsoInput = z.input<typeof SAVE>

/**
 * The one provider of the organization: makes it, or takes the place of what was. Where it is asked differently from before, it
 * is off until a test has worked. Throws `InvalidInput`.
 */
export async function saveSsoConnection(
  deps: CommandDeps,
  grant: SsoGrant,
  input: SaveSsoInput,
): Promise<{ readonly isNew: boolean; readonly needsTest: boolean }> {
  const operation = 'set up single sign-on'
  const { kind, name, makesAccounts, defaultRole, sessionHours, ...given } = readInput(operation, SAVE, input)
  const before = await deps.records
    .selectFrom('sso_connection')
    .selectAll()
    .where('org_id', '=', grant.orgId)
    .executeTakeFirst()
  const old = before?.kind === kind ? before : undefined
  const settings = JSON.stringify(
    kind === 'oidc'
      ? oidcSettings(operation, given.settings)
      : await samlSettings(deps, operation, given, old?.settings),
  )
  const secret = await sealedSecret(deps, operation, kind, given.clientSecret, old, settings)
  const isSame = old?.settings === settings && old.secret === secret
  const atMs = deps.clock.nowMs()
  const row = {
    kind,
    name,
    settings,
    secret,
    makes_accounts: Number(makesAccounts),
    default_role: defaultRole,
    session_hours: sessionHours,
    updated_ms: atMs,
    ...(!isSame && { is_on: 0, tested_ms: null, test_result: null }),
  }
  await writeTransaction(deps.records, async (tx) => {
    if (before) await tx.updateTable('sso_connection').set(row).where('id', '=', before.id).execute()
    else
      await tx
        .insertInto('sso_connection')
        .values({
          ...row,
          org_id: grant.orgId,
          is_on: 0,
          is_required: 0,
          created_by: actorOf(grant.viewer),
          created_ms: atMs,
        })
        .execute()
    // Another provider means other people by the same id.
    if (before && issuerOf(before) !== issuerOf(row))
      await tx.deleteFrom('sso_identity').where('connection_id', '=', before.id).execute()
    const detail = {
      kind,
      name,
      issuer: issuerOf(row),
      makesAccounts,
      defaultRole,
      sessionHours,
      isAskedDifferently: !isSame,
    }
    await auditSso(tx, grant, before ? 'sso.update' : 'sso.create', atMs, detail)
  })
  return { isNew: !before, needsTest: !isSame }
}

function oidcSettings(operation: string, given: Readonly<Record<string, unknown>>) {
  const settings = readInput(operation, OIDC_SETTINGS, given)
  try {
    issuerUrl(settings.issuer)
  } catch (error) {
    if (error instanceof SsoRefusal) throw new InvalidInput(operation, { issuer: [error.message] })
    throw error
  }
  // As it is pasted from the address of the discovery document.
  return { ...settings, issuer: settings.issuer.replace(/\/\.well-known\/openid-configuration$/, '') }
}

async function samlSettings(
  { access }: CommandDeps,
  operation: string,
  { settings, metadata, metadataUrl }: Pick<z.output<typeof SAVE>, 'settings' | 'metadata' | 'metadataUrl'>,
  old: string | undefined,
) {
  const field = metadata === '' ? 'metadataUrl' : 'metadata'
  try {
    const xml = metadata === '' && metadataUrl !== '' ? await access.sso.fetchMetadata(metadataUrl) : metadata
    const kept = old === undefined ? {} : (JSON.parse(old) as Record<string, unknown>)
    const { entityId, signInUrl, certificates } = xml === '' ? kept : readProviderMetadata(xml)
    if (entityId === undefined) throw new InvalidInput(operation, { metadata: ['or its address is needed'] })
    return readInput(operation, SAML_SETTINGS, { ...settings, entityId, signInUrl, certificates })
  } catch (error) {
    if (error instanceof SsoRefusal) throw new InvalidInput(operation, { [field]: [error.message] })
    throw error
  }
}

async function sealedSecret(
  { access }: CommandDeps,
  operation: string,
  kind: 'oidc' | 'saml',
  given: string,
  old: { readonly secret: string; readonly settings: string } | undefined,
  settings: string,
): Promise<string> {
  if (kind === 'saml') return ''
  const isElsewhere = old !== undefined && issuerOf({ settings: old.settings }) !== issuerOf({ settings })
  if (given !== '') {
    const before = old && (await access.seal.open(old.secret).catch(() => undefined))
    return old !== undefined && before === given && !isElsewhere ? old.secret : access.seal.seal(given)
  }
  if (old === undefined || old.secret === '')
    throw new InvalidInput(operation, { clientSecret: ['is needed'] })
  // Whoever may change the form must not have the secret sent elsewhere.
  if (isElsewhere) throw new InvalidInput(operation, { clientSecret: ['is needed again for another issuer'] })
  return old.secret
}

/** Whom the provider is: ids of people are its own. */
function issuerOf({ settings }: { readonly settings: string }): string {
  const { issuer, entityId } = JSON.parse(settings) as {
    readonly issuer?: string
    readonly entityId?: string
  }
  return issuer ?? entityId ?? ''
}

const SWITCH = z.object({ isOn: z.boolean(), isRequired: z.boolean().default(false) })

/**
 * On only after a test that worked with the settings of now. Required: a password opens the organization for its owners alone;
 * whoever is in with one is out at the next request. Throws `SondeError` (`not-found`, `conflict`).
 */
export async function switchSso(
  deps: CommandDeps,
  grant: SsoGrant,
  input: z.input<typeof SWITCH>,
): Promise<void> {
  const operation = 'switch single sign-on'
  const { isOn, isRequired } = readInput(operation, SWITCH, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const row = await connectionRow(tx, grant, operation)
    if (isOn && row.tested_ms === null)
      throw new SondeError('conflict', 'test the connection first: a sign-in has to work once', {
        operation,
        subject: grant.orgSlug,
      })
    const set = { is_on: Number(isOn), is_required: Number(isOn && isRequired), updated_ms: atMs }
    await tx.updateTable('sso_connection').set(set).where('id', '=', row.id).execute()
    await auditSso(tx, grant, isOn ? 'sso.on' : 'sso.off', atMs, { isRequired: isOn && isRequired })
  })
}

/** Sessions that began with it end. People and their roles stay. Throws `SondeError` (`not-found`). */
export async function deleteSsoConnection(deps: CommandDeps, grant: SsoGrant): Promise<void> {
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { id, kind, name } = await connectionRow(tx, grant, 'end single sign-on')
    const sessions = tx.selectFrom('sso_session').select('session_id').where('org_id', '=', grant.orgId)
    await tx.deleteFrom('session').where('id', 'in', sessions).execute()
    await tx.deleteFrom('sso_connection').where('id', '=', id).execute()
    await auditSso(tx, grant, 'sso.delete', atMs, { kind, name })
  })
}

export async function connectionRow(tx: Records, grant: SsoGrant, operation: string) {
  const row = await tx
    .selectFrom('sso_connection')
    .select(['id', 'kind', 'name', 'tested_ms'])
    .where('org_id', '=', grant.orgId)
    .executeTakeFirst()
  if (row) return row
  throw new SondeError('not-found', 'there is no single sign-on', { operation, subject: grant.orgSlug })
}

export const auditSso = (
  tx: Records,
  { orgId, orgSlug, viewer }: SsoGrant,
  action: AuditAction,
  atMs: number,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> => writeAudit(tx, { orgId, viewer, action, subject: orgSlug, detail, atMs })

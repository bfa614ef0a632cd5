/**
 * Which uses of a secret are entries of the audit log: the first of each network in a day, and at most twenty a day, so that
 * neither a busy program nor whoever found the secret fills it. docs/operate/audit-log.md
 */
import { type Clock, createBoundedMap, type Logger } from '@sonde/base'
import { type AuditAction, type Records } from '@sonde/stores'
import { networkOf, type TryLimit } from './auth/try-limit.ts'

/** A use that stands for the later ones of its network. */
export type SecretUse = {
  readonly orgId: number | null
  readonly actor: string
  readonly action: Extract<
    AuditAction,
    'token.use' | 'token.refuse' | 'scim.use' | 'scim.refuse' | 'issue.share-open'
  >
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
  /** Which secret it is, among all of its kind. */
  readonly secretId: number | string
  readonly address: string | undefined
}

export type SecretUses = {
  /** Writes an entry when it is one. Never rejects: a use does not fail because its entry cannot be written. */
  note(use: SecretUse): Promise<void>
}

const NETWORKS_A_DAY = 20
const DAY_MS = 86_400_000
/** What was noted is remembered so long without asking the records; they know it for a day. */
const REMEMBERED_MS = 60 * 60_000
const MAX_REMEMBERED = 10_000

export type SecretUseDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  readonly limit: TryLimit
}

export function createSecretUses({ records, clock, logger, limit }: SecretUseDeps): SecretUses {
  const remembered = createBoundedMap<string, number>(MAX_REMEMBERED)
  return {
    async note({ orgId, actor, action, subject, detail, secretId, address }) {
      const secret = `${action} ${secretId}`
      const key = `${secret} from ${networkOf(address) ?? '?'}`
      const nowMs = clock.nowMs()
      if ((remembered.get(key) ?? 0) > nowMs) return
      remembered.set(key, nowMs + REMEMBERED_MS)
      const perDay = { name: 'audit', windowMs: DAY_MS } as const
      const bounds = [
        { ...perDay, key, maxTries: 1 },
        { ...perDay, key: secret, maxTries: NETWORKS_A_DAY },
      ]
      try {
        if ('retryAfterSec' in (await limit.take(bounds))) return
        await records
          .insertInto('audit_entry')
          .values({
            org_id: orgId,
            actor,
            action,
            subject,
            detail: JSON.stringify(detail),
            at_ms: nowMs,
            address: address ?? null,
          })
          .execute()
      } catch (error) {
        logger.error({ err: error, action, subject }, 'the use of a secret could not be noted in the audit')
      }
    },
  }
}

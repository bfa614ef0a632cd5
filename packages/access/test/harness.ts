/**
 * Real records in a file of their own, with two organizations. Password hashes are quick: how many are computed, and
 * what each was asked to cost, `watchHashes` tells.
 */
import { type AccessOptions, createAccess, hashApiToken } from '@sonde/access'
import { fixedClock, silentLogger } from '@sonde/base'
import type { Role } from '@sonde/stores'
import { openTestRecords } from '../../../tests/harness/engines.ts'
import { useQuickPasswords } from '../../../tests/harness/quick-passwords.ts'

export const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 0)
export const PASSWORD = 'correct horse'
export const SECRET = 'a secret of at least thirty-two characters'

export async function openHarness(options: Partial<AccessOptions> = {}) {
  useQuickPasswords()
  const { records: db, close } = await openTestRecords()
  const clock = fixedClock(NOW_MS)
  const newAccess = () =>
    createAccess({
      records: db,
      secret: SECRET,
      publicUrl: 'http://sonde.test',
      clock,
      logger: silentLogger,
      ...options,
    })
  const access = newAccess()
  const org = async (slug: string): Promise<number> => {
    const { id } = await db
      .insertInto('organization')
      .values({ slug, name: slug.toUpperCase(), created_ms: NOW_MS })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const acme = await org('acme')
  const rival = await org('rival')
  const project = async (orgId: number, slug: string): Promise<number> => {
    const { id } = await db
      .insertInto('project')
      .values({ org_id: orgId, slug, name: slug, platform: 'node', created_ms: NOW_MS })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const shop = await project(acme, 'shop')
  const secret = await project(rival, 'secret')
  return {
    db,
    access,
    /** Another one on the same records: what a restart, or a second process, begins with. */
    newAccess,
    clock,
    acme,
    rival,
    shop,
    secret,
    async member(email: string, role: Role, orgId = acme): Promise<string> {
      const { userId } = await access.createUser({ email, name: 'Somebody', password: PASSWORD })
      await db
        .insertInto('member')
        .values({ org_id: orgId, user_id: userId, role, created_ms: NOW_MS })
        .execute()
      return userId
    },
    async token(
      scopes: readonly string[],
      fields: { orgId?: number | null; userId?: string } = {},
    ): Promise<string> {
      const token = `sonde_${scopes.join('').replace(/\W/g, '').padEnd(43, 'x').slice(0, 43)}`
      await db
        .insertInto('api_token')
        .values({
          org_id: fields.orgId === undefined ? acme : fields.orgId,
          user_id: fields.userId ?? null,
          name: 'test',
          token_hash: hashApiToken(token),
          scopes: JSON.stringify(scopes),
          created_ms: NOW_MS,
          last_used_ms: null,
        })
        .execute()
      return token
    },
    close,
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>

/** `name=value; name=value` out of `Set-Cookie` values. */
export const cookieHeader = (setCookies: readonly string[]): Headers =>
  new Headers({ cookie: setCookies.map((cookie) => cookie.split(';')[0]).join('; ') })

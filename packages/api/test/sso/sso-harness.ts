/** Sonde with an organization, its owner and teams, and a browser that reaches it and providers on loopback. */
import { type Access, createAccess, operatorViewer, type UserViewer } from '@sonde/access'
import { createApi, createLive } from '@sonde/api'
import { createLocalBus, silentLogger, systemClock } from '@sonde/base'
import { type CommandDeps, createUser, ensureProject } from '@sonde/commands'
import { createOutgoing } from '@sonde/outgoing'
import type { QueryDeps } from '@sonde/queries'
import type { Role } from '@sonde/stores'
import { openTestRecords } from '../../../../tests/harness/engines.ts'
import { useQuickPasswords } from '../../../../tests/harness/quick-passwords.ts'
import { plainBrowser } from '../../../../tests/harness/sign-in/browser.ts'

export const URL_HERE = 'http://sonde.test:8600'
const PASSWORD = 'correct horse'
const noBlobs = () => Promise.reject(new Error('no blobs here'))
export const SECRET = 'a secret of at least thirty-two characters'

/** `patienceMs`: providers are waited for no longer, however long the product would. */
export async function openSsoHarness(allowed: readonly string[] = ['127.0.0.1'], patienceMs?: number) {
  useQuickPasswords()
  const { records: db, close } = await openTestRecords()
  const outgoing = createOutgoing({ allowed, userAgent: 'test' })
  const access: Access = createAccess({
    records: db,
    secret: SECRET,
    publicUrl: URL_HERE,
    clock: systemClock,
    logger: silentLogger,
    outgoing:
      patienceMs === undefined
        ? outgoing
        : { ...outgoing, request: (wanted) => outgoing.request({ ...wanted, timeoutMs: patienceMs }) },
  })
  const commands: CommandDeps = { records: db, access, clock: systemClock }
  const queries = { records: db, clock: systemClock, publicUrl: URL_HERE } as unknown as QueryDeps
  const live = createLive({ bus: createLocalBus(silentLogger), records: db, logger: silentLogger })
  const api = createApi({
    access,
    live,
    queries,
    commands,
    blobs: { open: noBlobs, get: noBlobs },
    publicUrl: URL_HERE,
    logger: silentLogger,
  })
  await ensureProject(commands, operatorViewer, { org: 'acme', slug: 'shop', platform: 'javascript' })
  await ensureProject(commands, operatorViewer, { org: 'rival', slug: 'secret', platform: 'javascript' })
  /** The screens are not there: an address of one answers with itself. */
  const own = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    return pathname.startsWith('/api/') ? api.fetch(request) : new Response('a page')
  }
  const user = async (email: string, role: Role, org = 'acme'): Promise<string> => {
    const grant = await access.openOrg(operatorViewer, org, 'member:write')
    return (await createUser(commands, grant, { email, role, password: PASSWORD })).userId
  }
  const viewerBy = (cookie: string): Promise<UserViewer | undefined> =>
    access.viewerFromCookies(new Headers({ cookie }))
  await user('owner@acme.test', 'owner')
  return {
    db,
    access,
    commands,
    queries,
    api,
    user,
    browser: () => plainBrowser(URL_HERE, own),
    viewerBy,
    /** The session cookie after the password. */
    async withPassword(email: string): Promise<string> {
      const result = await access.signIn({ email, password: PASSWORD, headers: new Headers() })
      if (!result.ok) throw new Error(result.message)
      return result.setCookies.map((cookie) => cookie.split(';')[0]).join('; ')
    },
    async viewer(email: string): Promise<UserViewer> {
      const viewer = await viewerBy(await this.withPassword(email))
      if (!viewer) throw new Error(`${email} is not signed in`)
      return viewer
    },
    async owner() {
      return access.openOrg(await this.viewer('owner@acme.test'), 'acme', 'org:write')
    },
    async team(slug: string): Promise<number> {
      const { id } = await db
        .selectFrom('organization')
        .select('id')
        .where('slug', '=', 'acme')
        .executeTakeFirstOrThrow()
      const team = { org_id: id, slug, name: slug, created_ms: Date.now() }
      return (await db.insertInto('team').values(team).returning('id').executeTakeFirstOrThrow()).id
    },
    /** Slugs of somebody's teams. */
    async teamsOf(email: string): Promise<string[]> {
      const rows = await db
        .selectFrom('team_member')
        .innerJoin('team', 'team.id', 'team_member.team_id')
        .innerJoin('user', 'user.id', 'team_member.user_id')
        .select('team.slug')
        .where('user.email', '=', email)
        .orderBy('team.slug')
        .execute()
      return rows.map(({ slug }) => slug)
    },
    async roleOf(email: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('member')
        .innerJoin('user', 'user.id', 'member.user_id')
        .innerJoin('organization', 'organization.id', 'member.org_id')
        .select('member.role')
        .where('user.email', '=', email)
        .where('organization.slug', '=', 'acme')
        .executeTakeFirst()
      return row?.role
    },
    /** `action detail` of what single sign-on wrote. */
    async audit(): Promise<string[]> {
      const rows = await db.selectFrom('audit_entry').selectAll().orderBy('id').execute()
      return rows
        .filter(({ action, actor }) => action.startsWith('sso.') || actor.startsWith('sso:'))
        .map(({ action, detail }) => `${action} ${detail}`)
    },
    async close(): Promise<void> {
      live.close()
      await outgoing.close()
      await close()
    },
  }
}

export type SsoHarness = Awaited<ReturnType<typeof openSsoHarness>>

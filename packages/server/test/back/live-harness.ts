/** The way of a live message, all real: records, access, `/api/0`, the back's socket, the front's proxy. */
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createAccess, operatorViewer } from '@sonde/access'
import { createApi, createLive, type LiveOptions } from '@sonde/api'
import { createLocalBus, silentLogger, systemClock, type Topics } from '@sonde/base'
import { ensureProject, createToken, createUser, removeMember } from '@sonde/commands'
import { createProxyTrust } from '@sonde/ingest'
import { openBlobs, type Telemetry } from '@sonde/stores'
import { openTestRecords } from '../../../../tests/harness/engines.ts'
import { listen } from '../../src/front/listen.ts'
import { createBackProxy } from '../../src/front/proxy.ts'

export async function openLiveHarness(options: Partial<LiveOptions>, silenceMs?: number) {
  const { dir, records: db, close } = await openTestRecords()
  const publicUrl = 'http://sonde.test:8600'
  const clock = systemClock
  const access = createAccess({ records: db, secret: 'x'.repeat(40), publicUrl, clock, logger: silentLogger })
  const commands = { records: db, access, clock }
  // No question to telemetry is asked here.
  const queries = { records: db, telemetry: undefined as unknown as Telemetry, clock, publicUrl }
  const blobs = openBlobs({ dir: join(dir, 'blobs') })
  const bus = createLocalBus(silentLogger)
  const live = createLive({ bus, records: db, logger: silentLogger, ...options })
  const api = createApi({ access, queries, commands, blobs, publicUrl, logger: silentLogger, live })
  const answer = getRequestListener(api.fetch)
  const socketPath = join(dir, 'back.sock')
  const back = await listen((req, res) => void answer(req, res), { socketPath })
  const proxy = createBackProxy({
    socketPath,
    trust: createProxyTrust(0),
    ...(silenceMs !== undefined && { silenceMs }),
  })
  const front = await listen(proxy.forward, { host: '127.0.0.1', port: 0 })
  const [shop, blog] = [
    await ensureProject(commands, operatorViewer, { org: 'acme', slug: 'shop', platform: 'node' }),
    await ensureProject(commands, operatorViewer, { org: 'acme', slug: 'blog', platform: 'node' }),
  ]
  const secret = await ensureProject(commands, operatorViewer, {
    org: 'rival',
    slug: 'secret',
    platform: 'node',
  })
  let number = 0

  return {
    live,
    publish: (changed: Topics['issues.changed']) => bus.publish('issues.changed', changed),
    publishInbox: (users: readonly string[]) => bus.publish('inbox.changed', { users }),
    userId: async (email: string): Promise<string> =>
      (await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id,
    db,
    commands,
    url: `http://127.0.0.1:${front.port}/api/0/organizations`,
    inboxUrl: `http://127.0.0.1:${front.port}/api/0/inbox/live/`,
    projects: { shop: shop.id, blog: blog.id, secret: secret.id },
    stopBack: () => back.stop(5_000),
    token: async (scopes: readonly string[], org = 'acme') =>
      (
        await createToken(commands, await commands.access.openOrg(operatorViewer, org, 'token:write'), {
          name: 'test',
          scopes,
        })
      ).token,
    async cookie(email: string): Promise<string> {
      await createUser(commands, await commands.access.openOrg(operatorViewer, 'acme', 'member:write'), {
        email,
        role: 'viewer',
        password: 'correct horse',
      })
      const result = await access.signIn({ email, password: 'correct horse', headers: new Headers() })
      if (!result.ok) throw new Error(result.message)
      return result.setCookies.map((cookie) => cookie.split(';')[0]).join('; ')
    },
    async remove(email: string): Promise<void> {
      const { id: userId } = await db
        .selectFrom('user')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      await removeMember(commands, await commands.access.openOrg(operatorViewer, 'acme', 'member:write'), {
        userId,
      })
    },
    /** Members and viewers of acme see only the projects of their teams. */
    limit: () =>
      db.updateTable('organization').set({ members_see: 'teams' }).where('slug', '=', 'acme').execute(),
    /** A team of acme with one project, with one person in it. */
    async team(email: string, projectId: number) {
      const created_ms = 0
      const { id: user_id } = await db
        .selectFrom('user')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      const { id: team_id } = await db
        .insertInto('team')
        .values({ org_id: shop.orgId, slug: 'team', name: 'Team', created_ms })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('team_project').values({ team_id, project_id: projectId, role: 'viewer' }).execute()
      const join = () => db.insertInto('team_member').values({ team_id, user_id, created_ms }).execute()
      await join()
      return { join, leave: () => db.deleteFrom('team_member').execute() }
    },
    async issue(projectId: number): Promise<number> {
      const { id } = await db
        .insertInto('issue')
        .values({
          project_id: projectId,
          short_number: ++number,
          type: 'error',
          level: 'error',
          title: 'Error',
          culprit: '',
          platform: 'node',
          metadata: '{}',
          logger: '',
          is_unhandled: 0,
          first_seen_ms: 0,
          last_seen_ms: 0,
          event_count: 1,
          first_release: '',
          last_release: '',
          last_event_id: '',
          created_ms: 0,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    /** Makes one part of another, as a reprocessing run does. */
    async merge(projectId: number, from: number, into: number): Promise<void> {
      await db.deleteFrom('issue').where('id', '=', from).execute()
      await db
        .insertInto('issue_redirect')
        .values({
          from_issue_id: from,
          project_id: projectId,
          short_number: from,
          into_issue_id: into,
          at_ms: 0,
        })
        .execute()
    },
    async close(): Promise<void> {
      live.close()
      await proxy.close()
      await front.stop(0)
      await back.stop(0)
      await close()
    },
  }
}

export type LiveHarness = Awaited<ReturnType<typeof openLiveHarness>>

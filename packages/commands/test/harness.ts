/** Real records in a file of their own and the real access. */
import { type AccountMail, createAccess, readAccountMail, type UserViewer } from '@sonde/access'
import { operatorViewer } from '@sonde/access'
import { fixedClock, silentLogger } from '@sonde/base'
import { type CommandDeps, createUser, deleteProject, purgeDeleted } from '@sonde/commands'
import { type Role, visibleRecords } from '@sonde/stores'
import { openTestRecords } from '../../../tests/harness/engines.ts'
import { useQuickPasswords } from '../../../tests/harness/quick-passwords.ts'
import { sweepRecentlyDeleted } from '../src/deletion/sweep-recently-deleted.ts'

export const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 0)

/** `hasMail`: mail about accounts is queued. */
export async function openHarness({ hasMail = false }: { readonly hasMail?: boolean } = {}) {
  useQuickPasswords()
  const { records: db, close } = await openTestRecords()
  const records = visibleRecords(db)
  const clock = fixedClock(NOW_MS)
  const access = createAccess({
    records,
    secret: 'a secret of at least thirty-two characters',
    publicUrl: 'http://sonde.test',
    clock,
    logger: silentLogger,
    hasMail,
  })
  const deps: CommandDeps = { records, access, clock }
  const cookies = async (email: string, password: string): Promise<Headers> => {
    const result = await access.signIn({ email, password, headers: new Headers() })
    if (!result.ok) return new Headers()
    return new Headers({ cookie: result.setCookies.map((text) => text.split(';')[0]).join('; ') })
  }
  const signIn = async (email: string, password: string): Promise<UserViewer | undefined> =>
    access.viewerFromCookies(await cookies(email, password))
  return {
    deps,
    /** All rows, also those that are hidden. */
    db,
    access,
    clock,
    signIn,
    /** As the browser of somebody who just signed in sends them. */
    cookies,
    async viewer(org: string, role: Role, email = `${role}@${org}.test`): Promise<UserViewer> {
      await createUser(deps, await deps.access.openOrg(operatorViewer, org, 'member:write'), {
        email,
        role,
        password: 'correct horse',
      })
      const viewer = await signIn(email, 'correct horse')
      if (!viewer) throw new Error(`${email} cannot sign in`)
      return viewer
    },
    /** Their ids, oldest first. */
    async issues(projectId: number, count: number): Promise<number[]> {
      const rows = Array.from({ length: count }, (_, index) => ({
        project_id: projectId,
        short_number: index + 1,
        type: 'error',
        level: 'error',
        title: 'Error',
        culprit: '',
        platform: 'other',
        metadata: '{}',
        logger: '',
        is_unhandled: 0,
        first_seen_ms: NOW_MS,
        last_seen_ms: NOW_MS,
        event_count: 1,
        first_release: '',
        last_release: '',
        last_event_id: '',
        created_ms: NOW_MS,
      }))
      const made = await db.insertInto('issue').values(rows).returning('id').execute()
      return made.map(({ id }) => id)
    },
    /** `status substatus` of each issue, in the order of ids. */
    async states(ids: readonly number[]): Promise<string[]> {
      const rows = await db.selectFrom('issue').selectAll().where('id', 'in', ids).orderBy('id').execute()
      return rows.map((row) => `${row.status} ${row.substatus}`.trim())
    },
    /** `action subject` of every entry, oldest first. */
    async audit(): Promise<string[]> {
      const rows = await db.selectFrom('audit_entry').selectAll().orderBy('id').execute()
      return rows.map((row) => `${row.actor} ${row.action} ${row.subject}`)
    },
    /** Deleted, and not to be restored any more. */
    async removeProject(org: string, slug: string): Promise<void> {
      const grant = await access.openProject(operatorViewer, org, slug, 'project:delete')
      const { deletedId } = await deleteProject(deps, grant, { confirmSlug: slug })
      await purgeDeleted(deps, operatorViewer, { id: deletedId })
      await sweepRecentlyDeleted({ records: db, clock, signal: new AbortController().signal })
    },
    /** Mail about accounts that waits, oldest first. */
    async mails(): Promise<readonly (AccountMail & { readonly to: string })[]> {
      const rows = await db.selectFrom('account_mail').selectAll().orderBy('id').execute()
      return Promise.all(
        rows.map(async (row) => ({
          to: row.to_address,
          ...(await readAccountMail(access.seal, row.content)),
        })),
      )
    },
    close,
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>

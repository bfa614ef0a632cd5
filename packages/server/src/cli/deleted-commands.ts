/** `sonde deleted …`: what was deleted within a day, for who has the machine. */
import { operatorViewer } from '@sonde/access'
import { type CommandInput, print, table, UsageError } from '@sonde/cli'
import { type CommandDeps, purgeDeleted, restoreDeleted } from '@sonde/commands'
import { type DeletedLine, deletedOrganizations, recentlyDeleted } from '@sonde/queries'
import { withCommands } from './with-commands.ts'

/** `sonde deleted list`: of all organizations, the newest of each first. */
export async function list({ flag }: CommandInput): Promise<number> {
  return withCommands(async (deps) => {
    const lines = await allLines(deps)
    if (flag('json')) print(JSON.stringify(lines))
    else if (lines.length === 0) print('Nothing was deleted within a day.')
    else
      print(
        table([
          ['id', 'what', 'deleted', 'by', 'goes for good'],
          ...lines.map((line) => [
            String(line.id),
            whatOf(line),
            new Date(line.deletedMs).toISOString(),
            line.by,
            new Date(line.purgeMs).toISOString(),
          ]),
        ]),
      )
    return 0
  })
}

function whatOf({ kind, count, slug, issues }: DeletedLine): string {
  if (kind !== 'issues' && kind !== 'events') return `${kind} ${slug}`
  const some = issues.map(({ shortId }) => shortId).join(', ')
  return `${count} ${count === 1 ? kind.slice(0, -1) : kind} of ${slug}${some === '' ? '' : ` (${some})`}`
}

async function allLines(deps: CommandDeps): Promise<readonly DeletedLine[]> {
  const lines = [...(await deletedOrganizations(deps, operatorViewer))]
  for (const grant of await deps.access.openOrgs(operatorViewer, 'event:delete'))
    for (let before: number | undefined; ;) {
      const page = await recentlyDeleted(deps, grant, { before })
      lines.push(...page.lines)
      before = page.nextBefore
      if (before === undefined) break
    }
  return lines
}

/** `sonde deleted restore`: a project or an organization. Issues and events are restored by a server, which has their rows. */
export async function restore(input: CommandInput): Promise<number> {
  const id = idOf(input)
  return withCommands(async (deps) => {
    const restored = await restoreDeleted(deps, operatorViewer, { id })
    const { kind, orgSlug, projectSlug } = restored
    const name = projectSlug === undefined ? orgSlug : `${orgSlug}/${projectSlug}`
    print(input.flag('json') ? JSON.stringify(restored) : `the ${kind} ${name} is there again`)
    return 0
  })
}

/** `sonde deleted purge`: nobody restores it any more; a running Sonde removes it within a minute. */
export async function purge(input: CommandInput): Promise<number> {
  const id = idOf(input)
  return withCommands(async (deps) => {
    const purged = await purgeDeleted(deps, operatorViewer, { id })
    print(input.flag('json') ? JSON.stringify(purged) : `${id} is removed for good`)
    return 0
  })
}

function idOf({ positionals: [id = ''] }: CommandInput): number {
  if (!/^\d{1,15}$/.test(id)) throw new UsageError('ID is a number: sonde deleted list')
  return Number(id)
}

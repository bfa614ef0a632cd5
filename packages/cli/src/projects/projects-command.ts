/** `sonde projects list`. */
import type { CommandInput } from '../arguments.ts'
import { type Connection, connect } from '../client/connection.ts'
import { agoText } from '../client/time-text.ts'
import { note, print } from '../print.ts'
import { fittedTable } from '../text-width.ts'

type ProjectJson = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly platform: string | null
  readonly dateCreated: string
  readonly firstEvent: string | null
  readonly organization: { readonly slug: string }
}

const MAX_ROWS = 10_000

export async function listProjects(input: CommandInput): Promise<number> {
  const { list, org } = connectAnywhere(input)
  const rows = await list<ProjectJson>({ path: '/api/0/projects/' }, MAX_ROWS)
  const projects = rows
    .filter(({ organization }) => org === undefined || organization.slug === org)
    .map(({ id, slug, name, platform, dateCreated, firstEvent, organization }) => ({
      id,
      org: organization.slug,
      slug,
      name,
      platform: platform === '' ? null : platform,
      created: dateCreated,
      firstEvent,
    }))
  if (input.flag('json')) print(JSON.stringify(projects))
  else if (projects.length === 0) note('There are no projects that this login sees.')
  else
    print(
      fittedTable(
        [
          { head: 'project' },
          { head: 'name', isFlexible: true },
          { head: 'platform' },
          { head: 'id', isNumber: true },
          { head: 'first event' },
        ],
        projects.map(({ org: of, slug, name, platform, id, firstEvent }) => [
          `${of}/${slug}`,
          name,
          platform ?? '-',
          id,
          agoText(firstEvent),
        ]),
      ),
    )
  return 0
}

/** Of all organizations, unless one is named. */
function connectAnywhere(input: CommandInput): { list: Connection['list']; org: string | undefined } {
  const { list } = connect(input)
  return { list, org: input.text('org') ?? (process.env['SONDE_ORG'] || undefined) }
}

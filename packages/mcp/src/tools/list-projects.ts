import { listProjects } from '@sonde/queries'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { timeText } from '../answer/figures.ts'
import { plainLine } from '../answer/plain-text.ts'
import { organization } from '../subject.ts'
import { defineTool } from '../tool.ts'

const MAX_PROJECTS = 200

export const listProjectsTool = defineTool({
  name: 'list_projects',
  title: 'List organizations and projects',
  description:
    'Organizations and projects that this token opens, with the slugs that other tools take. Call it first.',
  permission: 'org:read',
  input: z.object({ organization }),
  async run({ grants, queries, links }, { organization: slug }) {
    const orgs =
      slug === undefined ? await grants.openOrgs('org:read') : [await grants.openOrg(slug, 'org:read')]
    const answer = createAnswer()
    let left = MAX_PROJECTS
    for (const grant of orgs) {
      const projects = await listProjects(queries, grant)
      answer.say(`Organization ${grant.orgSlug}: ${projects.length} projects`)
      const shown = projects.slice(0, Math.max(0, left))
      left -= shown.length
      for (const each of shown)
        answer.say(
          `- ${each.slug} (since ${timeText(each.createdMs).slice(0, 10)}): ${links.project(grant.orgSlug, each.slug)}`,
        )
      if (shown.length < projects.length)
        answer.say(`${projects.length - shown.length} projects more: ask with organization=${grant.orgSlug}.`)
      answer.data(
        `Names in ${grant.orgSlug}`,
        shown.map(
          ({ slug: of, name, platform }) => `- ${of}: ${plainLine(name, 100)}, ${plainLine(platform, 40)}`,
        ),
        { maxChars: 6_000 },
      )
    }
    return answer
  },
})

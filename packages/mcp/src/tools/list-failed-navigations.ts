import {
  chunkFailures,
  buildsInUse,
  fullLoads,
  hungNavigations,
  navigationPart,
  navigationSummary,
  pageDataFailures,
  routeNavigations,
  type RoutePair,
} from '@sonde/queries'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { counted, msText, timeText, whole } from '../answer/figures.ts'
import { plainLine } from '../answer/plain-text.ts'
import { openProject, organization, period, project, windowOf } from '../subject.ts'
import { defineTool } from '../tool.ts'

export const listFailedNavigations = defineTool({
  name: 'list_failed_navigations',
  title: 'List navigations that fail',
  description:
    'Navigations within a web application that failed, hung, were left by people or fell back to a full load: by route, what they waited for, failed page-data requests, and code that could not be loaded after a deployment.',
  permission: 'event:read',
  input: z.object({ organization, project, period: period('7d'), limit: z.int().min(1).max(30).default(10) }),
  async run(context, args) {
    const { queries, links, nowMs } = context
    const grant = await openProject(context, args, 'event:read')
    const filter = windowOf(args.period, nowMs)
    const part = await navigationPart(queries, grant, filter)
    const input = { ...filter, part, toldBy: 'recorder' as const }
    const { limit } = args
    const [{ total }, pairs, hung, full, pageData, chunks] = await Promise.all([
      navigationSummary(queries, grant, input),
      routeNavigations(queries, grant, { ...input, limit: 1_000, phases: false }),
      hungNavigations(queries, grant, { ...input, limit }),
      fullLoads(queries, grant, input),
      pageDataFailures(queries, grant, { ...filter, limit }),
      chunkFailures(queries, grant, input, buildsInUse(queries, grant, input)),
    ])
    const answer = createAnswer().say(
      `Navigations of the last ${args.period}: ${links.navigations(grant.orgSlug, grant.projectSlug)}`,
      `${whole(total.count)} in all, ${whole(total.committed)} shown, ${whole(total.errored)} failed, ${whole(total.hung)} hung, ${whole(total.left)} left by people, ${whole(total.fullLoads)} fell back to a full load; ${counted(total.troubledUsers, 'user')} of ${whole(total.users)} had trouble`,
    )
    if (total.samples === 0)
      answer.say(
        "No navigations are recorded: Sonde's own SDK or @sonde/sentry-integration sends their outcomes.",
      )
    const failing = pairs.filter((pair) => troubles(pair) > 0).toSorted((a, b) => troubles(b) - troubles(a))
    answer.data(
      'Routes that fail, from → to',
      failing.slice(0, limit).map((pair) => {
        const { errored = 0, full_load: fell = 0 } = pair.outcomes
        return `- ${plainLine(pair.from, 120) || 'unknown'} → ${plainLine(pair.to, 120)}: ${whole(errored)} failed, ${whole(fell)} full loads, of ${whole(pair.count)}`
      }),
      { maxChars: 4_000 },
    )
    answer.data(
      'What hung or was left, and what it waited for',
      hung.map(
        (row) =>
          `- ${plainLine(row.from, 120) || 'unknown'} → ${plainLine(row.to, 120)}: ${whole(row.hung)} hung, ${whole(row.left)} left, median ${msText(row.medianMs)}, ${counted(row.users, 'user')}, waiting for ${plainLine(row.waitingFor, 200) || 'nothing that is known'} [navigation ${row.navigationId}, trace ${row.traceId}]`,
      ),
      { maxChars: 4_000 },
    )
    answer.data(
      'Requests for page data that failed',
      pageData.map((row) => {
        const answers = row.answers.map(
          ({ answer: status, count }) => `${plainLine(status, 20)} ×${whole(count)}`,
        )
        return `- ${plainLine(row.endpoint, 200)}: ${whole(row.count)} failures (${answers.join(', ')}), ${whole(row.seen)} seen by people, ${whole(row.recovered)} recovered, on ${row.routes.map((route) => plainLine(route, 80)).join(', ')} [trace ${row.traceId}]`
      }),
      { maxChars: 4_000 },
    )
    answer.data(
      'Code that could not be loaded',
      chunks.slice(0, limit).map((row) => {
        const replaced = row.replacedBy ? `, replaced by ${plainLine(row.replacedBy.build, 80)}` : ''
        return `- build ${plainLine(row.build, 100)} (${plainLine(row.environment, 40) || 'no environment'})${replaced}: ${counted(row.tabs, 'tab')}, ${whole(row.count)} files, last ${timeText(row.lastMs)}; ${row.files.map(({ url }) => plainLine(url, 100)).join(', ')}`
      }),
      { maxChars: 3_000 },
    )
    answer.data(
      'Full loads instead, by reason',
      full.map(
        (row) =>
          `- ${plainLine(row.reason, 60) || 'unknown'}: ${whole(row.count)}, ${counted(row.users, 'user')}, ${row.routes.map((route) => plainLine(route, 80)).join(', ')}`,
      ),
      { maxChars: 2_000 },
    )
    return answer
  },
})

const troubles = ({ outcomes }: RoutePair): number => (outcomes.errored ?? 0) + (outcomes.full_load ?? 0)

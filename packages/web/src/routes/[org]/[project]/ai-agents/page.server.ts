/** Agents, models and tools of a project with what they used, and the newest conversations. */
import { aiConversations, aiUsage, ExploreError, projectKeys, projectSettings } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const filter = performanceFilterOf(params, nowMs)
  const settings = (await projectSettings(queries, grant)) ?? notFound()
  const choices = await filterChoices(queries, grant, { params, nowMs, source: 'spans' })
  const common = { choices, isNarrowed: isFiltered(params), hasPrices: settings.aiPrices.length > 0 }
  try {
    const [usage, conversations] = await Promise.all([
      aiUsage(queries, grant, filter, settings.aiPrices),
      aiConversations(queries, grant, filter),
    ])
    const keys = usage.length === 0 ? await projectKeys(queries, grant) : []
    const dsn = keys.find((key) => key.isActive)?.dsn
    return { ...common, usage, conversations, dsn, refusal: undefined }
  } catch (error) {
    if (!(error instanceof ExploreError)) throw error
    const refusal = { message: error.message, hint: error.hint ?? '' }
    return { ...common, usage: [], conversations: [], dsn: undefined, refusal }
  }
}

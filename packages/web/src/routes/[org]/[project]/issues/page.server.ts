import type { ProjectScope } from '@sonde/access'
import { type IssuePage, listIssues, listProjects, projectKeys, SearchError } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { type ListSearch, readListSearch } from '../../../../issues/list-search.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { projectScope } from '../../../../server/page-scope.ts'

const ROWS = 50

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries } = args.context
  const scope = await projectScope(args, 'event:read')
  const search = readListSearch(args.url.searchParams)
  const [[project], list] = await Promise.all([
    listProjects(queries, scope),
    issuesOrRefusal(args, scope, search),
  ])
  if (!project) return notFound()
  const isWaiting = project.firstEventMs === undefined
  const keys = isWaiting ? await projectKeys(queries, scope) : []
  return {
    project: { name: project.name, platform: project.platform, isWaiting },
    dsn: keys.find((key) => key.isActive)?.dsn,
    search,
    ...list,
  }
}

type Listed = {
  readonly page?: IssuePage
  readonly refusal?: { readonly message: string; readonly hint?: string }
}

/** A search that cannot be understood is answered beside the field, with the list left empty. */
async function issuesOrRefusal(
  { context }: { readonly context: AppContext },
  scope: ProjectScope,
  { query, sort, period, cursor }: ListSearch,
): Promise<Listed> {
  try {
    return {
      page: await listIssues(context.queries, {
        scope,
        query,
        sort,
        statsPeriod: period,
        cursor,
        limit: ROWS,
      }),
    }
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    return {
      refusal: {
        message: error.message,
        ...(error.hint === undefined ? {} : { hint: error.hint }),
      },
    }
  }
}

/** Inbound filters under Sentry's names: https://docs.sentry.io/api/projects/list-a-projects-data-filters/ */
import { SondeError } from '@sonde/base'
import { updateProjectFilters } from '@sonde/commands'
import { projectSettings } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'

/** Old browsers and health checks are not told apart here. */
const FILTERS = {
  'browser-extensions': 'browserExtensions',
  localhost: 'localhost',
  'web-crawlers': 'crawlers',
} as const
type FilterId = keyof typeof FILTERS
const IDS = Object.keys(FILTERS) as FilterId[]

export function filterRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.get(
    '/projects/:org/:project/filters',
    {
      id: 'listFilters',
      summary: 'List the inbound filters',
      tag: 'Projects',
      permission: 'project:read',
      answer: z.array(
        z.object({ id: z.enum(['browser-extensions', 'localhost', 'web-crawlers']), active: z.boolean() }),
      ),
    },
    async ({ grant }) => {
      const settings = await projectSettings(queries, grant)
      return settings && IDS.map((id) => ({ id, active: settings.filters[FILTERS[id]] }))
    },
  )

  api.put(
    '/projects/:org/:project/filters/:filter',
    {
      id: 'updateFilter',
      summary: 'Switch an inbound filter on or off',
      tag: 'Projects',
      permission: 'project:write',
      body: z.object({ active: z.boolean({ error: 'is true or false' }) }),
      errors: { 404: 'There is no filter of that name.' },
    },
    async ({ grant, params, body }) => {
      const id = IDS.find((each) => each === params.filter)
      const settings = await projectSettings(queries, grant)
      if (id === undefined || !settings)
        throw new SondeError('not-found', 'no such filter', {
          operation: 'switch a filter',
          subject: params.filter,
        })
      await updateProjectFilters(commands, grant, { ...settings.filters, [FILTERS[id]]: body.active })
    },
  )
}

/**
 * Tags over a project or an organisation (https://docs.sentry.io/api/projects/list-a-tags-values/), and what the search
 * field offers while somebody types.
 */
import { type SuggestWithin, searchSuggestions, suggestValues, tagKeys } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, grantOfPath, pathParam } from '../api-context.ts'
import { setSinglePage } from '../paging.ts'
import { limitParam, projectIdsParam } from '../request-params.ts'
import { tagKeyJson, tagValueJson } from '../serializers/issue.ts'

export function tagRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  const open = (c: ApiContext) => grantOfPath(c, 'event:read')

  for (const base of ['/organizations/:org', '/projects/:org/:project']) {
    api.get(`${base}/tags`, async (c) => {
      const keys = await tagKeys(queries, await open(c), within(c))
      setSinglePage(c, publicUrl)
      return c.json(keys.map((tag) => tagKeyJson(tag)))
    })

    // `query` is looked for inside of the values.
    api.get(`${base}/tags/:key/values`, async (c) => {
      const name = pathParam(c, 'key')
      const text = c.req.query('query') ?? ''
      const values = await suggestValues(queries, await open(c), { name, isTag: true }, text, within(c))
      setSinglePage(c, publicUrl)
      return c.json(
        values.map(({ value, count = 0, seen }) =>
          tagValueJson(name, {
            value,
            count,
            firstSeenMs: seen?.firstMs ?? 0,
            lastSeenMs: seen?.lastMs ?? 0,
          }),
        ),
      )
    })

    // Ours: `q` is the whole search, `cursor` a position in it in UTF-16 units, the end unless given.
    api.get(`${base}/search-suggestions`, async (c) => {
      const cursor = c.req.query('cursor')
      const found = await searchSuggestions(queries, await open(c), {
        text: c.req.query('q') ?? '',
        ...(cursor !== undefined && /^\d{1,6}$/.test(cursor) && { cursor: Number(cursor) }),
        ...within(c),
      })
      return c.json(found)
    })
  }
}

const within = (c: ApiContext): SuggestWithin => ({
  statsPeriod: c.req.query('statsPeriod'),
  projectIds: projectIdsParam(c),
  limit: limitParam(c),
})

/**
 * Tags over a project or an organization (https://docs.sentry.io/api/projects/list-a-tags-values/), and what the search
 * field offers while somebody types.
 */
import { searchSuggestions, suggestValues, type SuggestWithin, tagKeys } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setSinglePage } from '../pages.ts'
import { projectIds, rowLimit, text } from '../query-schemas.ts'
import { TagKey, tagKeyJson, TagValue, tagValueJson } from '../serializers/tag.ts'

const WITHIN = { statsPeriod: text('The time until now, for example `14d`.'), project: projectIds }
const common = { tag: 'Explore', permission: 'event:read' } as const

const Suggestions = z
  .object({
    offers: z.enum(['keys', 'values']),
    key: z.string().optional().meta({ description: 'Whose values are offered.' }),
    from: z.int().meta({ description: 'What a suggestion takes the place of, in UTF-16 units.' }),
    to: z.int().meta({ description: 'The position after it.' }),
    suggestions: z.array(
      z.object({
        text: z.string().meta({ description: 'What takes the place; a key ends with a colon.' }),
        label: z.string().meta({ description: 'What to show.' }),
        kind: z
          .enum(['state', 'choice', 'text', 'number', 'time', 'key', 'tag'])
          .optional()
          .meta({ description: 'Of keys alone.' }),
        description: z.string().optional(),
        count: z.int().optional().meta({ description: 'How many have it, where that is known.' }),
      }),
    ),
  })
  .meta({ id: 'SearchSuggestions', description: 'What the search may go on with, and where it would stand.' })

export function tagRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  for (const base of ['/organizations/:org', '/projects/:org/:project'] as const) {
    api.get(
      `${base}/tags`,
      {
        ...common,
        id: 'listTags',
        summary: 'List the keys of tags',
        query: z.object(WITHIN),
        pages: true,
        answer: z.array(TagKey),
      },
      async ({ c, grant, query, page }) => {
        const keys = await tagKeys(queries, grant, within(query, page.limit))
        setSinglePage(c, publicUrl)
        return keys.map(tagKeyJson)
      },
    )

    api.get(
      `${base}/tags/:key/values`,
      {
        ...common,
        id: 'listTagValues',
        summary: 'List the values of a tag',
        query: z.object({ ...WITHIN, query: text('Looked for inside of the values.') }),
        pages: true,
        answer: z.array(TagValue),
      },
      async ({ c, grant, params, query, page }) => {
        const tag = { name: params.key, isTag: true }
        const values = await suggestValues(queries, grant, tag, query.query ?? '', within(query, page.limit))
        setSinglePage(c, publicUrl)
        return values.map(({ value, count = 0, seen }) =>
          tagValueJson(params.key, {
            value,
            count,
            firstSeenMs: seen?.firstMs ?? 0,
            lastSeenMs: seen?.lastMs ?? 0,
          }),
        )
      },
    )

    // Ours.
    api.get(
      `${base}/search-suggestions`,
      {
        ...common,
        id: 'suggestSearch',
        summary: 'Suggest how a search goes on',
        query: z.object({
          ...WITHIN,
          limit: rowLimit,
          q: text('The whole search.'),
          cursor: rowLimit.meta({
            description: 'A position in it in UTF-16 units; the end unless given.',
            override: { type: 'integer', minimum: 0 },
          }),
        }),
        answer: Suggestions,
      },
      ({ grant, query }) =>
        searchSuggestions(queries, grant, {
          text: query.q ?? '',
          ...(query.cursor !== undefined && { cursor: query.cursor }),
          ...within(query, query.limit),
        }),
    )
  }
}

const within = (
  { statsPeriod, project }: { statsPeriod?: string | undefined; project: number[] },
  limit: number | undefined,
): SuggestWithin => ({ statsPeriod, projectIds: project, limit })

/** Saved searches in Sentry's words: `type` 0 is issues, `visibility` `owner` or `organization`. */
import { deleteSearch, saveSearch, setDefaultSearch, updateSearch } from '@sonde/commands'
import { checkIssueSearch, type SavedSearch as SavedSearchRow, savedSearches } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setPage } from '../pages.ts'
import { isoDate, Time } from '../serializers/date.ts'
import { idOf } from './alert-directory.ts'

const LIST = '/organizations/:org/searches'
const ONE = `${LIST}/:search` as const

const SavedSearch = z
  .object({
    id: z.string(),
    type: z.literal(0).meta({ description: 'Issues.' }),
    name: z.string(),
    query: z.string(),
    sort: z.string(),
    visibility: z.enum(['owner', 'organization']),
    isGlobal: z.boolean(),
    isPinned: z.boolean().meta({ description: 'The list of issues begins with it for who asks.' }),
    dateCreated: Time,
  })
  .meta({ id: 'SavedSearch' })

const SearchFields = z.object({
  name: z.string().optional(),
  query: z.string().optional(),
  sort: z.string().optional(),
})

export function savedSearchRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  api.get(
    LIST,
    {
      id: 'listSavedSearches',
      summary: 'List saved searches',
      tag: 'Issues',
      permission: 'event:read',
      pages: true,
      answer: z.array(SavedSearch),
    },
    async ({ c, grant }) => setPage(c, publicUrl, await savedSearches(queries, grant)).map(searchJson),
  )

  api.post(
    LIST,
    {
      id: 'saveSearch',
      summary: 'Save a search',
      tag: 'Issues',
      permission: 'event:read',
      body: SearchFields.extend({ visibility: z.string().optional() }),
      answer: SavedSearch,
      status: 201,
    },
    async ({ grant, body: { name = '', query = '', sort, visibility } }) => {
      // Throws with the place of what cannot be understood.
      checkIssueSearch(queries, grant, query)
      const isShared = visibility === 'organization'
      const { id } = await saveSearch(commands, grant, { name, query, sort, isShared })
      const made = (await savedSearches(queries, grant)).find((search) => search.id === id)
      return made && searchJson(made)
    },
  )

  api.put(
    ONE,
    {
      id: 'updateSavedSearch',
      summary: 'Change a saved search',
      description: 'What is absent stays.',
      tag: 'Issues',
      permission: 'event:read',
      body: SearchFields,
      answer: SavedSearch,
    },
    async ({ grant, params, body }) => {
      const id = idOf(params.search)
      if (body.query !== undefined) checkIssueSearch(queries, grant, body.query)
      await updateSearch(commands, grant, { id, ...body })
      const changed = (await savedSearches(queries, grant)).find((search) => search.id === id)
      return changed && searchJson(changed)
    },
  )

  // Sentry's `PUT …/pinned-searches/`, of a search that is saved.
  api.put(
    `${ONE}/pin`,
    {
      id: 'pinSearch',
      summary: 'Begin the list of issues with a search',
      tag: 'Issues',
      permission: 'event:read',
    },
    ({ grant, params }) => setDefaultSearch(commands, grant, { id: idOf(params.search) }),
  )

  api.delete(
    `${ONE}/pin`,
    {
      id: 'unpinSearch',
      summary: 'Begin the list of issues without a search',
      tag: 'Issues',
      permission: 'event:read',
    },
    ({ grant }) => setDefaultSearch(commands, grant, { id: undefined }),
  )

  api.delete(
    ONE,
    {
      id: 'deleteSavedSearch',
      summary: 'Delete a saved search',
      tag: 'Issues',
      permission: 'event:read',
    },
    ({ grant, params }) => deleteSearch(commands, grant, { id: idOf(params.search) }),
  )
}

const searchJson = ({ id, name, query, sort, isShared, isDefault, createdMs }: SavedSearchRow) => ({
  id: String(id),
  type: 0 as const,
  name,
  query,
  sort,
  visibility: isShared ? ('organization' as const) : ('owner' as const),
  isGlobal: false,
  isPinned: isDefault,
  dateCreated: isoDate(createdMs),
})

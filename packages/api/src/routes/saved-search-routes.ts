/** Saved searches in Sentry's words: `type` 0 is issues, `visibility` `owner` or `organization`. */
import { deleteSearch, saveSearch, setDefaultSearch, updateSearch } from '@sonde/commands'
import { checkIssueSearch, type SavedSearch, savedSearches } from '@sonde/queries'
import { type Api, type ApiOptions, orgGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { setPage } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'
import { idParam } from './alert-directory.ts'

const LIST = '/organizations/:org/searches'

export function savedSearchRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  api.get(LIST, async (c) => {
    const searches = await savedSearches(queries, await orgGrant(c, 'event:read'))
    return c.json(setPage(c, publicUrl, searches).map((search) => searchJson(search)))
  })

  api.post(LIST, async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const body = await jsonBody(c)
    const query = body.text('query') ?? ''
    // Throws with the place of what cannot be understood.
    checkIssueSearch(queries, grant, query)
    const { id } = await saveSearch(commands, grant, {
      name: body.text('name') ?? '',
      query,
      sort: body.text('sort'),
      isShared: body.text('visibility') === 'organization',
    })
    const made = (await savedSearches(queries, grant)).find((search) => search.id === id)
    return made ? c.json(searchJson(made), 201) : c.notFound()
  })

  /** `{name, query, sort}`: what is absent stays. */
  api.put(`${LIST}/:search`, async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const id = idParam(c, 'search')
    const body = await jsonBody(c)
    const query = body.text('query')
    if (query !== undefined) checkIssueSearch(queries, grant, query)
    await updateSearch(commands, grant, { id, name: body.text('name'), query, sort: body.text('sort') })
    const changed = (await savedSearches(queries, grant)).find((search) => search.id === id)
    return changed ? c.json(searchJson(changed)) : c.notFound()
  })

  // Sentry's `PUT …/pinned-searches/`, of a search that is saved.
  api.put(`${LIST}/:search/pin`, async (c) => {
    await setDefaultSearch(commands, await orgGrant(c, 'event:read'), { id: idParam(c, 'search') })
    return c.body(null, 204)
  })

  api.delete(`${LIST}/:search/pin`, async (c) => {
    await setDefaultSearch(commands, await orgGrant(c, 'event:read'), { id: undefined })
    return c.body(null, 204)
  })

  api.delete(`${LIST}/:search`, async (c) => {
    await deleteSearch(commands, await orgGrant(c, 'event:read'), { id: idParam(c, 'search') })
    return c.body(null, 204)
  })
}

const searchJson = ({ id, name, query, sort, isShared, isDefault, createdMs }: SavedSearch) => ({
  id: String(id),
  type: 0,
  name,
  query,
  sort,
  visibility: isShared ? 'organization' : 'owner',
  isGlobal: false,
  isPinned: isDefault,
  dateCreated: isoDate(createdMs),
})

/** Fetched when the menu is opened: what was pinned, own ones, the organization's, and those that everybody has. */
import type { SavedSearch } from '@sonde/queries'
import { Form, Link } from '@sonde/router'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { FilteredList } from '../../shell/filtered-list.tsx'
import { useJson } from '../../shell/use-json.ts'
import { Badge } from '../../ui/badge.tsx'
import { titleOf, UserText } from '../../ui/user-text.tsx'
import { type ListPlace, type ListSearch, searchPath, type ShownSaved } from './list-search.ts'
import { RECOMMENDED } from './recommended-searches.ts'

export type SavedSearchListProps = {
  readonly place: ListPlace
  readonly search: ListSearch
  readonly saved: ShownSaved
}

type Line = Pick<SavedSearch, 'name' | 'query' | 'sort'> & {
  readonly key: string
  /** Whose it is. */
  readonly of: string
  readonly problem?: string | undefined
}

const lineOf = ({ id, name, query, sort, isPinned, isShared, isDefault, problem }: SavedSearch): Line => ({
  key: String(id),
  name,
  query,
  sort,
  of: [isPinned && 'pinned', isShared ? 'everybody’s' : 'yours', isDefault && 'default']
    .filter((word) => word !== false)
    .join(', '),
  problem,
})

export function SavedSearchList({ place, search, saved }: SavedSearchListProps) {
  const { state, data } = useJson<{ readonly searches: readonly SavedSearch[] }>(
    paths.savedSearchList(place.org),
  )
  if (state === 'failed') return <p className="menu-note">Couldn’t load the saved searches.</p>
  if (!data) return <p className="menu-note">Loading…</p>
  const lines: readonly Line[] = [
    ...data.searches.map(lineOf),
    ...RECOMMENDED.map((line) => ({ ...line, key: line.name, of: 'recommended' })),
  ]
  return (
    <>
      {data.searches.length === 0 && (
        <p className="menu-note">Nothing is saved yet. Search for something, then save it here.</p>
      )}
      <FilteredList
        what="searches"
        items={lines}
        textOf={({ key, name, of, query }) => `${name} ${of} ${query} ${key}`}
        renderLine={({ name, query, sort, of, problem }) => (
          <Link
            to={searchPath(place, search, { query, sort })}
            prefetch="none"
            title={titleOf(query === '' ? 'All issues' : query)}
            aria-current={query === search.query.trim() && sort === search.sort ? 'true' : undefined}
            className="saved-search-line"
          >
            <UserText text={name} />
            {problem !== undefined && (
              <Badge tone="bad" title={titleOf(problem)}>
                can’t be read
              </Badge>
            )}
            <span className="muted">{of}</span>
          </Link>
        )}
      />
      <DefaultForms place={place} saved={saved} />
    </>
  )
}

/** With what the list opens: the shown search, or again with what is unresolved. */
function DefaultForms({
  place: { org, project },
  saved: { shown, defaultName },
}: Pick<SavedSearchListProps, 'place' | 'saved'>) {
  if (!shown && defaultName === undefined) return null
  const form = (does: 'default' | 'not-default', id: number | undefined, text: ReactNode) => (
    <Form action={paths.savedSearches(org, { project })}>
      <input type="hidden" name="form" value="search" />
      <input type="hidden" name="back" value="list" />
      {id !== undefined && <input type="hidden" name="id" value={id} />}
      {project !== undefined && <input type="hidden" name="project" value={project} />}
      <button type="submit" name="does" value={does}>
        {text}
      </button>
    </Form>
  )
  return (
    <div className="menu-list menu-foot">
      {shown && !shown.isDefault && form('default', shown.id, 'Open the list with it')}
      {defaultName !== undefined &&
        form(
          'not-default',
          undefined,
          <>
            No longer open the list with “<UserText text={defaultName} />”
          </>,
        )}
    </div>
  )
}

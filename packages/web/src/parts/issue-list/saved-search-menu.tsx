/** Beside the search: searches to choose from, and what to do with the one that is shown. */
import './saved-searches.css'
import { Link } from '@sonde/router'
import { useRef } from 'react'
import { paths } from '../../paths.ts'
import { LoadedPart } from '../../shell/loaded-part.tsx'
import { Menu } from '../../shell/menu.tsx'
import { useShortcuts } from '../../shell/use-shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { titleOf, UserText } from '../../ui/user-text.tsx'
import type { ListPlace, ListSearch, ShownSaved } from './list-search.ts'

type Props = {
  readonly place: ListPlace
  readonly search: ListSearch
  readonly saved: ShownSaved
  /** What cannot be read is not saved. */
  readonly isRefused: boolean
}

const load = async () => (await import('./saved-search-list.tsx')).SavedSearchList

export function SavedSearchMenu({ place, search, saved, isRefused }: Props) {
  const { shown } = saved
  const own = useRef<HTMLDivElement>(null)
  useShortcuts({
    'list.searches': () => {
      const summary = own.current?.querySelector('summary')
      summary?.focus()
      summary?.click()
    },
  })
  const { org, project } = place
  const manage = paths.savedSearches(org, { project })
  return (
    <div ref={own} className="saved-search">
      <Menu
        className="saved-search-menu"
        label={shown ? `Saved search: ${titleOf(shown.name)} (v)` : 'Saved searches (v)'}
        button={
          <>
            <Icon name={shown ? 'starred' : 'star'} />
            <span className="saved-search-name">
              {shown ? <UserText text={shown.name} /> : 'Saved searches'}
            </span>
            <Icon name="down" />
          </>
        }
      >
        {(isOpen) => (
          <>
            {isOpen && <LoadedPart load={load} part={{ place, search, saved }} />}
            <div className="menu-list menu-foot">
              {!shown && !isRefused && (
                <Link
                  prefetch="none"
                  to={paths.savedSearches(org, { project, query: search.query, sort: search.sort })}
                >
                  Save this search…
                </Link>
              )}
              <Link prefetch="none" to={manage}>
                Manage saved searches
              </Link>
            </div>
          </>
        )}
      </Menu>
    </div>
  )
}

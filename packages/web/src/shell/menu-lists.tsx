/** The lists in the menus of the top bar; fetched when the first of them is opened. */
import { Link, useLocation, useNavigate, useSearchParams } from '@sonde/router'
import { useState } from 'react'
import { paths } from '../paths.ts'
import { UserText } from '../ui/user-text.tsx'
import { FilteredList } from './filtered-list.tsx'
import type { Places } from './places.ts'
import { changeRange, environmentsOf } from './time-range.ts'
import { useJson } from './use-json.ts'
import { usePaths } from './use-paths.ts'

type Named = { readonly slug: string; readonly name: string }

const nameOf = ({ slug, name }: Named): string => (slug === name ? slug : `${name} ${slug}`)

export type OrgListProps = { readonly org: string; readonly organizations: readonly Named[] }

export function OrgList({ org, organizations }: OrgListProps) {
  return (
    <FilteredList
      what="organizations"
      items={organizations}
      textOf={nameOf}
      renderLine={({ slug, name }) => (
        <Link to={paths.org(slug)} prefetch="intent" aria-current={slug === org || undefined}>
          <UserText text={name} />
        </Link>
      )}
    />
  )
}

/** `project` undefined: on a screen of the whole organization. */
export type PlaceProps = { readonly org: string; readonly project: string | undefined }

export function ProjectList({ org, project }: PlaceProps) {
  const kept = usePaths()
  const { state, data } = useJson<Places>(`${paths.go()}?org=${encodeURIComponent(org)}`)
  if (state === 'failed') return <p className="menu-note">Couldn’t load projects.</p>
  if (!data) return <p className="menu-note">Loading…</p>
  return (
    <FilteredList
      what="projects"
      items={data.projects.filter((place) => place.org === org)}
      textOf={nameOf}
      renderLine={({ slug, name }) => (
        <Link to={kept.project(org, slug)} prefetch="intent" aria-current={slug === project || undefined}>
          <UserText text={name} />
        </Link>
      )}
    />
  )
}

export function EnvironmentList({ org, project }: PlaceProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const chosen = environmentsOf(params)
  const search = new URLSearchParams(project === undefined ? { org } : { org, project })
  const { state, data } = useJson<{ readonly environments: readonly string[] }>(
    `${paths.environments()}?${search}`,
  )
  // A box is ticked at once, not when the page has followed; those chosen at first stay where they are.
  const [first] = useState(chosen)
  const [ticked, setTicked] = useState(chosen)
  if (state === 'failed') return <p className="menu-note">Couldn’t load environments.</p>
  if (!data) return <p className="menu-note">Loading…</p>
  const names = [...new Set([...first, ...data.environments])]
  if (names.length === 0) return <p className="menu-note">No environments yet.</p>
  const tick = (name: string, isChosen: boolean): void => {
    const environments = isChosen ? [...ticked, name] : ticked.filter((other) => other !== name)
    setTicked(environments)
    void navigate(pathname + changeRange(params, { environments }), { replace: true })
  }
  return (
    <>
      <FilteredList
        what="environments"
        items={names}
        textOf={(name) => name}
        renderLine={(name) => (
          <label>
            <input
              type="checkbox"
              checked={ticked.includes(name)}
              onChange={(event) => tick(name, event.target.checked)}
            />
            <UserText text={name} />
          </label>
        )}
      />
      <ul className="menu-list menu-foot">
        <li>
          <Link to={pathname + changeRange(params, { environments: [] })} prefetch="none">
            All environments
          </Link>
        </li>
      </ul>
    </>
  )
}

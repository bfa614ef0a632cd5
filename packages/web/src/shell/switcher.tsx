import { Link } from '@sonde/router'
import { paths } from '../paths.ts'
import type { Places } from '../routes/settings/go/page.server.ts'
import { Icon } from '../ui/icon.tsx'
import { UserText } from '../ui/user-text.tsx'
import { FilteredList } from './filtered-list.tsx'
import { Menu } from './menu.tsx'
import { useJson } from './use-json.ts'
import { usePaths } from './use-paths.ts'

export type ShellOrg = { readonly slug: string; readonly name: string }

export function OrgSwitcher({
  org,
  organizations,
}: {
  readonly org: string
  readonly organizations: readonly ShellOrg[]
}) {
  return (
    <Menu className="switcher" button={<Icon name="down" />} label="Switch organisation">
      {() => (
        <FilteredList
          what="organisations"
          items={organizations}
          textOf={({ slug, name }) => (slug === name ? slug : `${name} ${slug}`)}
          renderLine={({ slug, name }) => (
            <Link to={paths.org(slug)} prefetch="intent" aria-current={slug === org || undefined}>
              <UserText text={name} />
            </Link>
          )}
        />
      )}
    </Menu>
  )
}

/** `project` undefined: on a screen of the whole organisation. */
export function ProjectSwitcher({
  org,
  project,
}: {
  readonly org: string
  readonly project: string | undefined
}) {
  return (
    <Menu className="switcher" button={<Icon name="down" />} label="Switch project">
      {(isOpen) => (
        <>
          {isOpen && <ProjectList org={org} project={project} />}
          <ul className="menu-list menu-foot">
            <li>
              <AllIssues org={org} />
            </li>
            <li>
              <Link to={paths.org(org)} prefetch="intent">
                All projects
              </Link>
            </li>
          </ul>
        </>
      )}
    </Menu>
  )
}

function AllIssues({ org }: { readonly org: string }) {
  const kept = usePaths()
  return (
    <Link to={kept.orgIssues(org)} prefetch="intent">
      Issues of all projects
    </Link>
  )
}

function ProjectList({ org, project }: { readonly org: string; readonly project: string | undefined }) {
  const kept = usePaths()
  const { state, data } = useJson<Places>(`${paths.go()}?org=${encodeURIComponent(org)}`)
  if (state === 'failed') return <p className="menu-note">The projects could not be fetched.</p>
  if (!data) return <p className="menu-note">Loading…</p>
  return (
    <FilteredList
      what="projects"
      items={data.projects.filter((place) => place.org === org)}
      textOf={({ slug, name }) => (slug === name ? slug : `${name} ${slug}`)}
      renderLine={({ slug, name }) => (
        <Link to={kept.issues(org, slug)} prefetch="intent" aria-current={slug === project || undefined}>
          <UserText text={name} />
        </Link>
      )}
    />
  )
}

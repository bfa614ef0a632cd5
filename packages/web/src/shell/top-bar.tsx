import { Link, useParams, useRouteTemplate } from '@sonde/router'
import { paths } from '../paths.ts'
import { Mark } from '../ui/icon.tsx'
import { UserMenu, type UserMenuProps } from './user-menu.tsx'

/** Where one is, and the ways to the project's other screens. */
export function TopBar({ viewer }: UserMenuProps) {
  const { org, project } = useParams<'org' | 'project'>() as { org?: string; project?: string }
  return (
    <header className="top-bar">
      <nav className="crumbs" aria-label="Breadcrumb">
        <ol>
          <li>
            <Link className="brand" to={paths.home()} prefetch="intent" aria-label="Sonde: all organisations">
              <Mark />
            </Link>
          </li>
          {org !== undefined && (
            <li>
              <Link to={paths.org(org)} title={org} aria-current={project === undefined ? 'page' : undefined}>
                {org}
              </Link>
            </li>
          )}
          {org !== undefined && project !== undefined && (
            <li>
              <Link to={paths.issues(org, project)} title={project}>
                {project}
              </Link>
            </li>
          )}
        </ol>
      </nav>
      {org !== undefined && project !== undefined && <ProjectTabs org={org} project={project} />}
      <UserMenu viewer={viewer} />
    </header>
  )
}

function ProjectTabs({ org, project }: { readonly org: string; readonly project: string }) {
  const template = useRouteTemplate() ?? ''
  const tabs = [
    { name: 'Issues', to: paths.issues(org, project), below: '/[org]/[project]/issues' },
    {
      name: 'Settings',
      to: paths.projectSettings(org, project),
      below: '/[org]/[project]/settings',
    },
  ]
  return (
    <nav className="tabs" aria-label="Project">
      <ul>
        {tabs.map(({ name, to, below }) => (
          <li key={name}>
            <Link to={to} aria-current={template.startsWith(below) ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

import { Link } from '@sonde/router'
import { paths } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'
import { UserText } from '../ui/user-text.tsx'
import { LoadedPart } from './loaded-part.tsx'
import { Menu } from './menu.tsx'
import { usePaths } from './use-paths.ts'

const loadOrgs = async () => (await import('./menu-lists.tsx')).OrgList
const loadProjects = async () => (await import('./menu-lists.tsx')).ProjectList

/** More of them are found faster by typing, which takes code. */
const PLAIN_ORGS = 8

export type ShellOrg = { readonly slug: string; readonly name: string }

export function OrgSwitcher({
  org,
  organizations,
}: {
  readonly org: string
  readonly organizations: readonly ShellOrg[]
}) {
  return (
    <Menu className="switcher" button={<Icon name="down" />} label="Switch organization">
      {(isOpen) =>
        isOpen && organizations.length > PLAIN_ORGS ? (
          <LoadedPart load={loadOrgs} part={{ org, organizations }} />
        ) : (
          <ul className="menu-list">
            {organizations.map(({ slug, name }) => (
              <li key={slug}>
                <Link to={paths.org(slug)} prefetch="intent" aria-current={slug === org || undefined}>
                  <UserText text={name} />
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    </Menu>
  )
}

/** `project` undefined: on a screen of the whole organization. */
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
          {isOpen && <LoadedPart load={loadProjects} part={{ org, project }} />}
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

import './tabs.css'
import { Link, useParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { formatCount } from '../format/format-count.ts'
import { ORG_SCREENS, PROJECT_TABS } from './screens.ts'
import { usePaths } from './use-paths.ts'

export type TabsProps = {
  readonly org: string
  readonly project: string | undefined
  /** Of the route that is shown. */
  readonly template: string
  /** Of the project. */
  readonly openIncidents: number
}

/** The segment below the organization or project by which a screen is known; '' is the page of either itself. */
function segmentOf(template: string, { project, kind }: Shown): string | undefined {
  const parts = template.split('/').slice(project === undefined ? 2 : 3)
  const [segment] = parts
  if (segment !== undefined && parts[1] === '[kind]' && kind !== undefined) return `${segment}/${kind}`
  return segment ?? (template.startsWith('/[org]') ? '' : undefined)
}

type Shown = { readonly project: string | undefined; readonly kind: string | undefined }

/** The row of tabs. A tab of several screens leads to the first of them. */
export function Tabs({ org, project, template, openIncidents }: TabsProps) {
  const kept = usePaths()
  const { kind } = useParams() as { readonly kind?: string }
  const segment = segmentOf(template, { project, kind })
  const isHere = (at: readonly string[]): boolean => segment !== undefined && at.includes(segment)
  const tabs =
    project === undefined
      ? ORG_SCREENS.map(({ name, to, at }) => ({ name, to: to(kept, org), isHere: isHere(at) }))
      : PROJECT_TABS.map(({ name, screens }) => ({
          name,
          to: screens[0]?.to(kept, org, project) ?? '',
          isHere: screens.some(({ at }) => isHere(at)),
        }))
  return (
    <nav className="tabs" aria-label={project === undefined ? 'Organization' : 'Project'}>
      <ul>
        {tabs.map((tab) => (
          <TabLink key={tab.name} {...tab}>
            {tab.name === 'Alerts' && openIncidents > 0 && (
              <span className="tab-count" title={`${openIncidents} open`}>
                {formatCount(openIncidents)}
                <span className="sr-only"> open</span>
              </span>
            )}
          </TabLink>
        ))}
      </ul>
    </nav>
  )
}

/** The screens of the tab that is shown, where it has several. */
export function SubTabs({ org, project, template }: Omit<TabsProps, 'openIncidents'>) {
  const kept = usePaths()
  const { kind } = useParams() as { readonly kind?: string }
  if (project === undefined) return null
  const segment = segmentOf(template, { project, kind }) ?? ''
  const tab = PROJECT_TABS.find(({ screens }) => screens.some(({ at }) => at.includes(segment)))
  if (!tab || tab.screens.length < 2) return null
  return (
    <nav className="tabs sub-tabs" aria-label={`Screens of ${tab.name}`}>
      <ul>
        {tab.screens.map(({ name, to, at }) => (
          <TabLink key={name} name={name} to={to(kept, org, project)} isHere={at.includes(segment)} />
        ))}
      </ul>
    </nav>
  )
}

type TabLinkProps = {
  readonly name: string
  readonly to: string
  readonly isHere: boolean
  readonly children?: ReactNode
}

function TabLink({ name, to, isHere, children }: TabLinkProps) {
  return (
    <li>
      <Link to={to} aria-current={isHere ? 'page' : undefined}>
        {name}
        {children}
      </Link>
    </li>
  )
}

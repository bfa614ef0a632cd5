import { Link, useParams, useRouteTemplate } from '@sonde/router'
import { type ComponentType, useState } from 'react'
import { paths } from '../paths.ts'
import { Icon, Mark } from '../ui/icon.tsx'
import { useIsInBrowser } from '../ui/page-clock.tsx'
import { UserText } from '../ui/user-text.tsx'
import { InboxBell } from './inbox-bell.tsx'
import type { PaletteProps } from './palette/use-choices.ts'
import { RangePickers } from './range-pickers.tsx'
import { OrgSwitcher, ProjectSwitcher, type ShellOrg } from './switcher.tsx'
import { SubTabs, Tabs } from './tabs.tsx'
import type { Theme } from './theme.ts'
import { usualPeriod } from './time-range.ts'
import { useToast } from './toasts.tsx'
import { usePaths } from './use-paths.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { UserMenu } from './user-menu.tsx'

type Closable<Props = object> = ComponentType<Props & { readonly onClose: () => void }>
type Opened =
  | { readonly kind: 'palette'; readonly Dialog: Closable<PaletteProps> }
  | { readonly kind: 'help'; readonly Dialog: Closable }

const loadPalette = () => import('./palette/palette.tsx')
const loadHelp = () => import('./palette/shortcut-help.tsx')

/** Opens the palette, by press or key, and the help. Their code is fetched when it is asked for. */
function PaletteButton(props: Omit<PaletteProps, 'showHelp'>) {
  const [opened, setOpened] = useState<Opened>()
  const toast = useToast()
  const isInBrowser = useIsInBrowser()
  const open = async (kind: Opened['kind']): Promise<void> => {
    try {
      setOpened(
        kind === 'palette'
          ? { kind, Dialog: (await loadPalette()).default }
          : { kind, Dialog: (await loadHelp()).default },
      )
    } catch {
      toast({
        text: 'This could not be loaded. Sonde may have been updated.',
        kind: 'bad',
        action: { name: 'Reload', run: () => window.location.reload() },
      })
    }
  }
  const close = (): void => setOpened(undefined)
  useShortcuts({ palette: () => void open('palette'), help: () => void open('help') })
  if (!isInBrowser) return <span className="palette-button-place" />
  return (
    <>
      <button
        type="button"
        className="button palette-button"
        aria-haspopup="dialog"
        title="Go to a project, a screen or an issue"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void loadPalette().catch(() => {})}
        onClick={() => void open('palette')}
      >
        <Icon name="search" />
        <span className="palette-button-text">Search or jump to…</span>
        <kbd className="palette-button-key" aria-hidden="true">
          {/mac/i.test(navigator.platform) ? '⌘' : 'Ctrl'} K
        </kbd>
      </button>
      {opened?.kind === 'palette' && (
        <opened.Dialog {...props} onClose={close} showHelp={() => void open('help')} />
      )}
      {opened?.kind === 'help' && <opened.Dialog onClose={close} />}
    </>
  )
}

export type TopBarProps = {
  readonly unread: number
  /** Of the project that is shown. */
  readonly openIncidents: number
  readonly theme: Theme
  readonly viewer: {
    readonly name: string
    readonly email: string
    readonly isOperator: boolean
    readonly organizations: readonly ShellOrg[]
  }
}

/** Where one is, and the ways to everything else. */
export function TopBar({ viewer, theme, unread, openIncidents }: TopBarProps) {
  const { org, project } = useParams() as { org?: string; project?: string }
  const template = useRouteTemplate() ?? ''
  const usual = usualPeriod(template)
  const isNarrowed =
    usual !== '' || /^\/\[org\](?:\/\[project\])?\/(?:issues|releases)(?:\/|$)/.test(template)
  const hasEnvironments = /^\/\[org\]\/\[project\](?:\/crons(?:\/\[monitor\])?)?$/.test(template)
  return (
    <>
      <header className="top-bar">
        <Crumbs org={org} project={project} organizations={viewer.organizations} />
        {org !== undefined && (
          <Tabs org={org} project={project} template={template} openIncidents={openIncidents} />
        )}
        {org !== undefined && isNarrowed && <RangePickers org={org} project={project} usual={usual} />}
        {org !== undefined && hasEnvironments && <RangePickers org={org} project={project} />}
        <div className="top-bar-end">
          <PaletteButton isOperator={viewer.isOperator} organizations={viewer.organizations} />
          <InboxBell unread={unread} />
          <UserMenu viewer={viewer} theme={theme} />
        </div>
      </header>
      {org !== undefined && <SubTabs org={org} project={project} template={template} />}
    </>
  )
}

type CrumbsProps = {
  readonly org: string | undefined
  readonly project: string | undefined
  readonly organizations: readonly ShellOrg[]
}

function Crumbs({ org, project, organizations }: CrumbsProps) {
  const kept = usePaths()
  const name = organizations.find(({ slug }) => slug === org)?.name ?? org ?? ''
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      <ol>
        <li>
          <Link className="brand" to={paths.home()} prefetch="intent" aria-label="Sonde: all organizations">
            <Mark />
          </Link>
        </li>
        {org !== undefined && (
          <li>
            <Link to={paths.org(org)} aria-current={project === undefined ? 'page' : undefined}>
              <UserText text={name} />
            </Link>
            {organizations.length > 1 && <OrgSwitcher org={org} organizations={organizations} />}
          </li>
        )}
        {org !== undefined && (
          <li>
            {project === undefined ? (
              <span className="crumb-all">All projects</span>
            ) : (
              <Link to={kept.project(org, project)} title={project}>
                {project}
              </Link>
            )}
            <ProjectSwitcher org={org} project={project} />
          </li>
        )}
      </ol>
    </nav>
  )
}

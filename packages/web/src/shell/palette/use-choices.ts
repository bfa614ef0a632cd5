import { useParams, usePost } from '@sonde/router'
import { paths } from '../../paths.ts'
import type { Places } from '../places.ts'
import { PROJECT_TABS } from '../screens.ts'
import { setTheme, THEMES } from '../theme.ts'
import { useToast } from '../toasts.tsx'
import { useJson } from '../use-json.ts'
import { usePaths } from '../use-paths.ts'
import { type Choice, matching } from './choices.ts'

/** Not a request for every key. */
const ASK_AFTER_MS = 120

export type PaletteProps = {
  readonly isOperator: boolean
  readonly organizations: readonly { readonly slug: string; readonly name: string }[]
  readonly showHelp: () => void
}

/** `isLoading`: issues and projects are still on their way. */
export function useChoices(
  text: string,
  props: PaletteProps,
): { readonly choices: readonly Choice[]; readonly isLoading: boolean; readonly hasFailed: boolean } {
  const { org, project } = useParams() as { org?: string; project?: string }
  const kept = usePaths()
  const search = new URLSearchParams({ ...(org === undefined ? {} : { org }), text: text.trim() })
  const { state, data } = useJson<Places>(`${paths.go()}?${search}`, text === '' ? 0 : ASK_AFTER_MS)
  const projects = (data?.projects ?? []).map((place): Choice => ({
    id: `project ${place.org}/${place.slug}`,
    group: 'Projects',
    name: place.name,
    hint: place.org === org ? place.slug : `${place.org}/${place.slug}`,
    to: kept.project(place.org, place.slug),
  }))
  const issues = (data?.issues ?? []).map((issue): Choice => ({
    id: `issue ${issue.org}/${issue.shortId}`,
    group: text.trim() === '' ? 'Recent issues' : 'Issues',
    name: issue.title,
    hint: issue.shortId,
    level: issue.level,
    to: kept.issue(issue.org, issue.project, issue.shortId),
  }))
  const actions = useActions(props)
  const own = [...screens(org, project, kept, props), ...projects, ...actions]
  const ordered =
    text.trim() === ''
      ? [...own.filter((choice) => choice.group === 'Go to'), ...issues, ...projects, ...actions]
      : matching(own, issues, text)
  return { choices: ordered, isLoading: state === 'loading', hasFailed: state === 'failed' }
}

/** What else people type who look for a screen. */
const ALSO_FOUND_BY: Readonly<Record<string, string>> = {
  Feedback: 'user feedback, user reports, spam',
  Replays: 'session replay, recordings, rage clicks',
  Vitals: 'web vitals',
  Profiles: 'flame graph, slowest functions',
  Crons: 'monitors, scheduled jobs, check-ins',
  Uptime: 'monitors, availability, response time',
  Logs: 'log lines, patterns, live tail',
  Releases: 'deploys, commits',
  Alerts: 'alert rules, notifications',
}
const hintOf = (screen: string, project: string): string =>
  [project, ...(ALSO_FOUND_BY[screen] === undefined ? [] : [ALSO_FOUND_BY[screen]])].join(', ')

function screens(
  org: string | undefined,
  project: string | undefined,
  kept: typeof paths,
  { organizations, isOperator }: PaletteProps,
): Choice[] {
  const go = (name: string, to: string, hint?: string): Choice => ({
    id: `go ${to}`,
    group: 'Go to',
    name,
    to,
    ...(hint === undefined ? {} : { hint }),
  })
  return [
    ...(org !== undefined && project !== undefined
      ? [
          ...PROJECT_TABS.flatMap((tab) => tab.screens).map(({ name, to }) =>
            go(
              name === 'Settings' ? 'Project settings' : name,
              to(kept, org, project),
              hintOf(name, project),
            ),
          ),
          go('Compare releases', kept.compareReleases(org, project), project),
          go('New alert rule', paths.newAlert(org, project), `${project}, alerts`),
          go('Incidents', paths.incidents(org, project, { state: 'open' }), `${project}, alerts`),
          go('Source maps', paths.sourceMaps(org, project), `${project}, uploads, unsymbolicated frames`),
        ]
      : []),
    ...(org === undefined ? [] : [go('Issues of all projects', kept.orgIssues(org), org)]),
    ...organizations.map(({ slug, name }) => go(`Projects of ${name}`, paths.org(slug))),
    ...organizations.map(({ slug, name }) =>
      go(`Members and tokens of ${name}`, paths.orgSettings(slug), 'roles, remove, expiry'),
    ),
    go('Account', paths.account(), 'password, two-factor, sessions, tokens'),
    go('MCP server', paths.mcp(), 'agents'),
    ...(isOperator ? [go('System status', paths.status())] : []),
  ]
}

function useActions({ showHelp }: PaletteProps): Choice[] {
  const post = usePost()
  const toast = useToast()
  const act = (id: string, name: string, run: () => void): Choice => ({ id, group: 'Actions', name, run })
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(window.location.href)
      toast({ text: 'Link copied', kind: 'good' })
    } catch {
      toast({ text: 'Copying failed: clipboard access denied', kind: 'bad' })
    }
  }
  return [
    act('copy', 'Copy link', () => void copy()),
    ...THEMES.map(({ id, name }) => act(`theme-${id}`, `Theme: ${name.toLowerCase()}`, () => setTheme(id))),
    act('help', 'Keyboard shortcuts', showHelp),
    act('sign-out', 'Sign out', () => void post(paths.signOut(), {})),
  ]
}

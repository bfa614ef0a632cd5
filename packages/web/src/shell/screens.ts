/** The screens of an organization and of a project, by the tab under which they are: what the tabs and the palette show. */
import type { InsightKindId } from '@sonde/queries/contract'
import type { paths } from '../paths.ts'

export type Screen = {
  readonly name: string
  /** `kept`: the addresses of screens, with the filters that are kept on the way to them. */
  readonly to: (kept: typeof paths, org: string, project: string) => string
  /**
   * How the templates of its routes begin below the project: one of these segments; `insights/queries` where the next
   * segment is the parameter `kind`.
   */
  readonly at: readonly string[]
}
export type Tab = {
  readonly name: string
  /** The tab leads to the first; two and more have a row of their own below. */
  readonly screens: readonly Screen[]
}

/** By name alone: what is computed of each would be loaded with every page. */
export const INSIGHTS: Readonly<Record<InsightKindId, string>> = {
  queries: 'Queries',
  requests: 'Requests',
  assets: 'Assets',
  caches: 'Caches',
  queues: 'Queues',
}

export const PROJECT_TABS: readonly Tab[] = [
  {
    name: 'Overview',
    screens: [{ name: 'Overview', to: (kept, org, project) => kept.project(org, project), at: [''] }],
  },
  {
    name: 'Issues',
    screens: [
      { name: 'Issues', to: (kept, org, project) => kept.issues(org, project), at: ['issues'] },
      { name: 'Feedback', to: (kept, org, project) => kept.feedback(org, project), at: ['feedback'] },
      { name: 'Replays', to: (kept, org, project) => kept.replays(org, project), at: ['replays'] },
      { name: 'Noise', to: (kept, org, project) => kept.noise(org, project), at: ['noise'] },
    ],
  },
  {
    name: 'Performance',
    screens: [
      {
        name: 'Performance',
        to: (kept, org, project) => kept.performance(org, project),
        at: ['performance'],
      },
      { name: 'Vitals', to: (kept, org, project) => kept.vitals(org, project), at: ['vitals'] },
      { name: 'Hydration', to: (kept, org, project) => kept.hydration(org, project), at: ['hydration'] },
      { name: 'Profiles', to: (kept, org, project) => kept.profiles(org, project), at: ['profiles'] },
      { name: 'AI agents', to: (kept, org, project) => kept.aiAgents(org, project), at: ['ai-agents'] },
      { name: 'Mobile', to: (kept, org, project) => kept.mobile(org, project), at: ['mobile'] },
    ],
  },
  {
    name: 'Insights',
    screens: Object.entries(INSIGHTS).map(([kind, name]) => ({
      name,
      to: (kept, org, project) => kept.insights(org, project, kind),
      at: [`insights/${kind}`],
    })),
  },
  {
    name: 'Navigations',
    screens: [
      {
        name: 'Navigations',
        to: (kept, org, project) => kept.navigations(org, project),
        at: ['navigations'],
      },
    ],
  },
  {
    name: 'Explore',
    screens: [
      { name: 'Explore', to: (kept, org, project) => kept.explore(org, project), at: ['explore'] },
      { name: 'Logs', to: (kept, org, project) => kept.logs(org, project), at: ['logs'] },
      { name: 'Metrics', to: (kept, org, project) => kept.metrics(org, project), at: ['metrics'] },
    ],
  },
  {
    name: 'Releases',
    screens: [
      { name: 'Releases', to: (kept, org, project) => kept.releases(org, project), at: ['releases'] },
    ],
  },
  {
    name: 'Alerts',
    screens: [
      { name: 'Alerts', to: (kept, org, project) => kept.alerts(org, project), at: ['alerts'] },
      { name: 'Crons', to: (kept, org, project) => kept.crons(org, project), at: ['crons'] },
      { name: 'Uptime', to: (kept, org, project) => kept.uptime(org, project), at: ['uptime'] },
    ],
  },
  {
    name: 'Settings',
    screens: [
      {
        name: 'Settings',
        to: (kept, org, project) => kept.projectSettings(org, project),
        at: ['settings', 'source-maps'],
      },
    ],
  },
]

type OrgScreen = Omit<Screen, 'to'> & { readonly to: (kept: typeof paths, org: string) => string }

/** Of a whole organization; '' is its own page. */
export const ORG_SCREENS: readonly OrgScreen[] = [
  { name: 'Projects', to: (kept, org) => kept.org(org), at: [''] },
  { name: 'Issues', to: (kept, org) => kept.orgIssues(org), at: ['issues'] },
  { name: 'Explore', to: (kept, org) => kept.explore(org, undefined), at: ['explore', 'sql'] },
  { name: 'Service map', to: (kept, org) => kept.serviceMap(org), at: ['service-map'] },
  { name: 'Settings', to: (kept, org) => kept.orgSettings(org), at: ['settings'] },
]

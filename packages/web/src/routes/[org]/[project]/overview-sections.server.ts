/** Asks everything that the overview tells, each section by itself: one that fails or is slow leaves the others alone. */
import { type Grant, mayAlso, requireAlso } from '@sonde/access'
import {
  buildsInUse,
  chunkFailures,
  deployments,
  type FreshIssues,
  freshIssuesOf,
  freshIssuesSince,
  type JudgedRelease,
  movedVitals,
  type NavigationHealth,
  navigationHealth,
  type NewestRelease,
  type QueryDeps,
  releaseVerdict,
  toldSince,
  verdictWindow,
  vitalChanges,
} from '@sonde/queries'
import { alertSentences } from './overview-alerts.ts'
import { unknownSentences, vitalSentences } from './overview-measured.ts'
import {
  type OverviewSection,
  type Place,
  type Sentence,
  sortedSections,
  worstTone,
} from './overview-section.ts'
import { staleTabSentences } from './overview-tabs.ts'
import { issueSentences, navigationSentences, releaseSentences } from './overview-words.ts'

export type OverviewInput = {
  readonly queries: QueryDeps
  readonly grant: Grant<'event:read', 'project'>
  readonly place: Place
  readonly nowMs: number
  /** Empty: all. */
  readonly environment: readonly string[]
  /** The newest; undefined: nothing names one. */
  readonly release: NewestRelease | undefined
}

/** What several sections look at is asked once. */
type Context = OverviewInput & {
  /** Since the release began. */
  readonly window: { readonly fromMs: number; readonly toMs: number; readonly environment: readonly string[] }
  readonly judged: Promise<JudgedRelease | undefined>
  readonly navigations: Promise<NavigationHealth>
}

type Section = Pick<OverviewSection, 'id' | 'title'> & {
  /** None: there is nothing to say. */
  readonly load: (context: Context) => Promise<readonly Sentence[]>
}

/** A section more is a line here, a query of its own and its sentences. In this order where nothing is wrong. */
const SECTIONS: readonly Section[] = [
  {
    id: 'release',
    title: 'Newest release',
    load: async ({ judged, release, place }) => releaseSentences(place, release, await judged),
  },
  {
    id: 'errors',
    title: 'Errors',
    load: async (context) => issueSentences(context.place, context.release, await freshIssues(context)),
  },
  {
    id: 'navigations',
    title: 'Navigations',
    load: async ({ navigations, place, release }) =>
      navigationSentences(place, release?.version, await navigations),
  },
  {
    id: 'stale-tabs',
    title: 'Stale tabs',
    load: staleTabs,
  },
  { id: 'vitals', title: 'Web vitals', load: vitals },
  {
    id: 'alerts',
    title: 'Alerts',
    load: async ({ queries, grant, window, place, release }) =>
      mayAlso(grant, 'alert:read')
        ? alertSentences(
            place,
            release?.version,
            await toldSince(queries, requireAlso(grant, 'alert:read'), window.fromMs),
            mayAlso(grant, 'alert:write'),
          )
        : [],
  },
  {
    id: 'unknown',
    title: 'Not measured',
    load: async ({ judged, navigations, place }) => unknownSentences(place, await judged, await navigations),
  },
]

const DAY_MS = 86_400_000
const MAX_DAYS = 14
/** Where nothing names a release. */
const USUAL_DAYS = 7
/** What arrives this very moment counts too. */
const MAX_AHEAD_MS = 60_000
/** A release is in people's tabs before its deploy is recorded, and before it has an event. */
const FIRST_PAGE_MS = 3_600_000
/** People at night wait for the whole page; the section says that it is late, and where to look. */
const LATE_AFTER_MS = 5_000

/** Those that have something to say; what is wrong first, behind the release. */
export async function overviewSections(input: OverviewInput): Promise<readonly OverviewSection[]> {
  const { queries, grant, release, nowMs, environment } = input
  const beganMs = release?.beganMs ?? nowMs - USUAL_DAYS * DAY_MS
  const window = {
    fromMs: Math.max(0, Math.min(nowMs - 1, Math.max(beganMs, nowMs - MAX_DAYS * DAY_MS))),
    toMs: nowMs + MAX_AHEAD_MS,
    environment,
  }
  const context: Context = {
    ...input,
    window,
    judged: shared(async () =>
      release
        ? releaseVerdict(queries, grant, {
            ...verdictWindow(beganMs, nowMs),
            release: release.version,
            before: release.previous,
            environment,
          })
        : undefined,
    ),
    navigations: shared(() =>
      navigationHealth(queries, grant, { ...window, ...(release && { release: [release.version] }) }),
    ),
  }
  const loaded = await Promise.all(SECTIONS.map((section) => loadSection(section, context)))
  return sortedSections(loaded.filter(({ sentences }) => sentences.length > 0))
}

/** A failure is told by each section that waits for it; where none does any more it is nobody's. */
function shared<Value>(ask: () => Promise<Value>): Promise<Value> {
  const answer = ask()
  answer.catch(() => undefined)
  return answer
}

async function loadSection({ id, title, load }: Section, context: Context): Promise<OverviewSection> {
  const sentences = await inTime(load(context))
  return { id, title, sentences, tone: worstTone(sentences) }
}

/** What goes on longer is not waited for: every question has its own bound. */
async function inTime(asked: Promise<readonly Sentence[]>): Promise<readonly Sentence[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly Sentence[]>((resolve) => {
    timer = setTimeout(resolve, LATE_AFTER_MS, [
      {
        tone: 'attention',
        text: 'This takes longer than usual and is left out. Reload the page to try again.',
      },
    ])
  })
  try {
    return await Promise.race([asked, late])
  } catch {
    return [{ tone: 'attention', text: 'This could not be read. Reload the page to try again.' }]
  } finally {
    clearTimeout(timer)
  }
}

const freshIssues = ({ queries, grant, release, window }: Context): Promise<FreshIssues> =>
  release ? freshIssuesOf(queries, grant, release) : freshIssuesSince(queries, grant, window.fromMs)

async function staleTabs({ queries, grant, window, navigations, place, nowMs }: Context) {
  const since = { ...window, fromMs: Math.max(0, window.fromMs - FIRST_PAGE_MS) }
  const builds = buildsInUse(queries, grant, since)
  const failing = chunkFailures(queries, grant, since, builds)
  const [deployed, failures, { count }] = await Promise.all([
    deployments(queries, grant, since, builds, failing),
    failing,
    navigations,
  ])
  return staleTabSentences(place, {
    deployments: deployed,
    failures,
    isMeasured: count > 0,
    sinceMs: since.fromMs,
    nowMs,
  })
}

async function vitals({ queries, grant, release, window, nowMs, environment, place }: Context) {
  const before = release?.previous
  if (!release || before === undefined) {
    const changes = await vitalChanges(queries, grant, window)
    return vitalSentences(place, { kind: 'week', changes })
  }
  const pair = { ...verdictWindow(release.beganMs, nowMs), environment, release: release.version, before }
  return vitalSentences(place, { kind: 'release', ...pair, moved: await movedVitals(queries, grant, pair) })
}

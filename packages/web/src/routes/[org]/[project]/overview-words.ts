/** What the overview says of the release, its errors and its navigations. Pure. */
import type { FreshIssue, FreshIssues, JudgedRelease, NavigationHealth, ReleaseDetail } from '@sonde/queries'
import { measureSentence, nextNeeded, verdictSentence } from '@sonde/queries/contract'
import { countOf, formatExact } from '../../../format/format-count.ts'
import { formatDuration } from '../../../format/format-time.ts'
import { shownAt } from '../../../parts/releases/verdict-address.ts'
import { paths } from '../../../paths.ts'
import type { Place, Sentence, Tone } from './overview-section.ts'

const VERDICT_TONES: Readonly<Record<JudgedRelease['verdict'], Tone>> = {
  worse: 'bad',
  better: 'good',
  same: 'good',
  not_enough_data: 'plain',
}
const DECISIVE = 3

export function releaseSentences(
  { org, project }: Place,
  release: Pick<ReleaseDetail, 'version' | 'deploys' | 'firstEventMs'> | undefined,
  judged: JudgedRelease | undefined,
): readonly Sentence[] {
  if (!release || !judged)
    return [
      {
        tone: 'attention',
        text: 'No release is named, so a deployment cannot be compared with the one before it. Set the release in the SDK, or create it in CI.',
        link: { to: paths.releases(org, project), name: 'Set the release' },
      },
    ]
  const { version, deploys, firstEventMs } = release
  const { verdict, before, measures } = judged
  const page = paths.release(org, project, version)
  const isOpen = verdict === 'not_enough_data' && before !== undefined
  const decisive = measures.filter((each) => each.verdict === 'worse' || each.verdict === 'better')
  const worseFirst = decisive.toSorted(
    (a, b) => Number(b.verdict === 'worse') - Number(a.verdict === 'worse'),
  )
  const [deploy] = deploys
  return [
    {
      tone: before === undefined ? 'plain' : VERDICT_TONES[verdict],
      text: verdictSentence(judged),
      link: { to: `${page}#verdict`, name: before === undefined ? 'Release' : 'All measures' },
    },
    ...(isOpen ? [{ tone: 'plain' as const, text: needText(measures) }] : []),
    ...worseFirst.slice(0, DECISIVE).map((measure): Sentence => ({
      tone: measure.verdict === 'worse' ? 'bad' : 'good',
      text: measureSentence(measure),
      link: {
        to: shownAt(paths, org, project, { name: measure.name, release: version, before }),
        name: 'Show',
      },
    })),
    ...(deploy
      ? [
          {
            tone: 'plain' as const,
            text: `Deployed to ${deploy.environment}`,
            atMs: deploy.finishedMs,
            link: { to: `${page}#deploys`, name: 'Deploys' },
          },
        ]
      : firstEventMs === undefined
        ? []
        : [{ tone: 'plain' as const, text: 'First event', atMs: firstEventMs }]),
  ]
}

const needText = (measures: JudgedRelease['measures']): string =>
  measures.length === 0
    ? 'Nothing was measured of either yet.'
    : (nextNeeded(measures) ?? 'What was measured comes from too few people.')

export function issueSentences(
  { org, project }: Place,
  release: Pick<ReleaseDetail, 'version'> | undefined,
  { new: fresh, regressed, noise, top, suspect }: FreshIssues,
): readonly Sentence[] {
  const where = release ? `in ${release.version}` : 'in the last 7 days'
  const list = release
    ? `${paths.release(org, project, release.version)}#issues`
    : paths.issues(org, project, { sort: 'new' })
  if (fresh + regressed === 0)
    return [
      {
        tone: 'good',
        text: `No new errors and no regressions ${where}.`,
        link: { to: paths.issues(org, project), name: 'Issues' },
      },
    ]
  const counts = [
    ...(fresh > 0 ? [countOf(fresh, 'new issue')] : []),
    ...(regressed > 0 ? [countOf(regressed, 'regression')] : []),
  ]
  const [first] = top
  return [
    {
      tone: first ? toneOf(first) : 'plain',
      text: `${counts.join(' and ')} ${where}.`,
      link: { to: list, name: 'All of them' },
    },
    ...(noise > 0
      ? [
          {
            tone: 'plain' as const,
            text: `${formatExact(noise)} of them ${noise === 1 ? 'is' : 'are'} noise, which your code probably did not cause.`,
            link: { to: paths.noise(org, project), name: 'Noise' },
          },
        ]
      : []),
    ...top.map((issue, at): Sentence => {
      const { shortId, firstSeenMs } = issue
      const code = codeOf(issue)
      const commit =
        at === 0 && suspect
          ? ` Suspect commit ${suspect.sha.slice(0, 8)} “${cut(suspect.subject)}” by ${suspect.author}.`
          : ''
      return {
        tone: toneOf(issue),
        text: `${issueText(issue)}${commit}`,
        ...(code !== '' && { code }),
        atMs: firstSeenMs,
        link: { to: paths.issue(org, project, shortId), name: shortId },
      }
    }),
  ]
}

/** What is slow or only warns is no reason to get up. */
const toneOf = ({ status, level }: FreshIssue): Tone =>
  status !== 'unresolved' ? 'plain' : level === 'error' || level === 'fatal' ? 'bad' : 'attention'

/** `TypeError: x is undefined: 12 events, 9 users, regressed.` */
function issueText({ title, events, users, kind, status }: FreshIssue): string {
  const facts = [
    countOf(events, 'event'),
    ...(users > 0 ? [countOf(users, 'user')] : []),
    ...(kind === 'regressed' ? ['a regression'] : []),
    ...(status === 'unresolved' ? [] : [status]),
  ]
  return `${cut(title)}: ${facts.join(', ')}.`
}

const codeOf = ({ culprit, metadata }: Pick<FreshIssue, 'culprit' | 'metadata'>): string => {
  const { function: called = '', filename = '' } = metadata
  return filename === '' ? culprit : [called, filename].filter(Boolean).join(' in ')
}

const MAX_CHARS = 160
const cut = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text)

/** A share that is surely above it is worth getting up for. */
const MANY = 0.01
const ENOUGH = 30

export function navigationSentences(
  { org, project }: Place,
  release: string | undefined,
  { count, samples, troubled, hung, troubledUsers, worst }: NavigationHealth,
): readonly Sentence[] {
  // What is not known is said below.
  if (count === 0) return []
  const where = release === undefined ? 'in the last 7 days' : `in ${release}`
  const to = narrowed(paths.navigations(org, project), { ...(release !== undefined && { release }) })
  const link = { to, name: 'Navigations' }
  const interval = troubled.estimate
  const few =
    samples < ENOUGH
      ? ` About ${formatExact(ENOUGH - samples)} more are needed to say how certain that is.`
      : ''
  if (troubled.count === 0)
    return [
      {
        tone: samples < ENOUGH ? 'plain' : 'good',
        text: `None of ${countOf(count, 'navigation')} ${where} failed, hung or was abandoned${interval ? ` (95% interval up to ${percent(interval.high)})` : ''}.${few}`,
        link,
      },
    ]
  const tone: Tone = interval && interval.low > MANY ? 'bad' : 'attention'
  const people = troubledUsers > 0 ? `, for ${countOf(troubledUsers, 'user')}` : ''
  const share = interval
    ? ` (${percent(troubled.count / count)}, 95% interval ${percent(interval.low)} to ${percent(interval.high)})`
    : ` (${percent(troubled.count / count)})`
  return [
    {
      tone,
      text: `${formatExact(troubled.count)} of ${countOf(count, 'navigation')} ${where} failed, hung or were abandoned${share}${people}.${few}`,
      link,
    },
    ...(hung.count > 0
      ? [
          {
            tone,
            text: `${formatExact(hung.count)} of them hung for more than 5 seconds${hung.estimate ? ` (${percent(hung.count / count)}, 95% interval ${percent(hung.estimate.low)} to ${percent(hung.estimate.high)})` : ''}.`,
            link: { to: `${to}#hung`, name: 'Stuck navigations' },
          },
        ]
      : []),
    ...(worst
      ? [
          {
            tone,
            text: `Most often from ${worst.from || 'an unknown route'} to ${worst.to || 'an unknown route'}${worst.waitingFor === '' ? '' : `, waiting for ${worst.waitingFor}`}: ${countOf(worst.count, 'navigation')}, median wait ${formatDuration(worst.medianMs)}.`,
            link: {
              to: narrowed(paths.navigations(org, project), { from: worst.from, to: worst.to }),
              name: 'Transition',
            },
          },
        ]
      : []),
  ]
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

export function narrowed(to: string, search: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(search).toString()
  return text === '' ? to : `${to}${to.includes('?') ? '&' : '?'}${text}`
}

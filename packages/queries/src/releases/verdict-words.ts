/** The verdict of a release in sentences, for screens, messages and terminals. Pure. */
import type { JudgedMeasure, JudgedRelease, ReleaseMeasure, ReleaseVerdict } from './judge-release.ts'

type Words = {
  readonly worse: string
  readonly better: string
  readonly same: string
  /** Follows "Not enough data on". */
  readonly about: string
  /** Why there may be nothing, and what sends it. */
  readonly absent: string
}

const NO_VITALS = 'There are no web vitals of both releases to compare'
const NO_NAVIGATIONS =
  'Outcomes of navigations are not known: Sonde’s SDK or @sonde/sentry-integration sends them'

const slower = (name: string): Words => ({
  worse: `${name} is slower`,
  better: `${name} is faster`,
  same: `${name} is as before`,
  about: name,
  absent: NO_VITALS,
})

const WORDS: Readonly<Record<ReleaseMeasure, Words>> = {
  crashed_sessions: {
    worse: 'More sessions crash',
    better: 'Fewer sessions crash',
    same: 'Sessions crash as often as before',
    about: 'crashed sessions',
    absent: 'No sessions were received of either release, so there are no crash-free rates',
  },
  users_with_crash: {
    worse: 'More users have a crash',
    better: 'Fewer users have a crash',
    same: 'As many users have a crash as before',
    about: 'users with a crash',
    absent: 'No session names its user, so crash-free users are not known',
  },
  users_with_error: {
    worse: 'More users have an error',
    better: 'Fewer users have an error',
    same: 'As many users have an error as before',
    about: 'users with an error',
    absent: 'Nothing names its user, so users with an error are not known',
  },
  failed_navigations: {
    worse: 'More navigations fail or are abandoned',
    better: 'Fewer navigations fail or are abandoned',
    same: 'Navigations fail as often as before',
    about: 'failed navigations',
    absent: NO_NAVIGATIONS,
  },
  hung_navigations: {
    worse: 'More navigations hang',
    better: 'Fewer navigations hang',
    same: 'Navigations hang as often as before',
    about: 'navigations that hang',
    absent: NO_NAVIGATIONS,
  },
  error_rate: {
    worse: 'More transactions fail',
    better: 'Fewer transactions fail',
    same: 'Transactions fail as often as before',
    about: 'the error rate of transactions',
    absent: 'No transactions were received of either release, so there is no error rate',
  },
  lcp: slower('Largest contentful paint'),
  inp: slower('Interaction to next paint'),
  cls: {
    worse: 'The layout shifts more',
    better: 'The layout shifts less',
    same: 'The layout shifts as much as before',
    about: 'layout shift',
    absent: NO_VITALS,
  },
  fcp: slower('First contentful paint'),
  ttfb: slower('Time to first byte'),
}

/** `2.0.0 is worse than 1.0.0.` */
export function verdictSentence({
  verdict,
  release,
  before,
}: Pick<JudgedRelease, 'verdict' | 'release' | 'before'>): string {
  if (before === undefined) return `${release} is the first release: there is nothing to compare it with.`
  return `${release} ${VERDICTS[verdict]} ${before}.`
}

const VERDICTS: Readonly<Record<ReleaseVerdict, string>> = {
  better: 'is better than',
  same: 'is as good as',
  worse: 'is worse than',
  not_enough_data: 'does not have enough data yet to be compared with',
}

/** What was found, by how much with its interval, and of how many; or how many more are needed. */
export function measureSentence(measure: JudgedMeasure): string {
  const { name, verdict, by, low, high, release, before, of } = measure
  const words = WORDS[name]
  const samples = `${whole(release)} ${of} of this release and ${whole(before)} of the one before`
  const interval =
    by === undefined || low === undefined || high === undefined
      ? undefined
      : `${changeFigure(measure, by)}, 95% interval ${changeFigure(measure, low).replace(' points', '')} to ${changeFigure(measure, high)}`
  if (verdict !== 'not_enough_data') return `${words[verdict]}: ${interval}, from ${samples}.`
  const sofar = interval === undefined ? '' : ` (so far ${interval})`
  return `Not enough data on ${words.about}: ${samples}${sofar}. ${neededSentence(measure)}`
}

/** `About 1,200 more sessions are needed.` */
function neededSentence({ needed, of, release, before }: JudgedMeasure): string {
  if (needed === undefined) return `They come from too few people: ${of} of more people are needed.`
  const whose = release <= before ? 'this release' : 'the one before'
  return `About ${whole(needed)} more ${of} of ${whose} are needed.`
}

/** The nearest measure to be decided, for whoever has room for one sentence. Undefined: none can be told. */
export function nextNeeded(measures: readonly JudgedMeasure[]): string | undefined {
  const open = measures.filter(({ verdict, needed }) => verdict === 'not_enough_data' && needed !== undefined)
  const nearest = open.toSorted((a, b) => (a.needed ?? 0) - (b.needed ?? 0))[0]
  return nearest && neededSentence(nearest)
}

/** What the data cannot show, once for each reason: without sessions none of them names a user. */
export function absentSentences(absent: readonly ReleaseMeasure[]): readonly string[] {
  const hasNoSession = absent.includes('crashed_sessions')
  const told = absent.filter((name) => !hasNoSession || name !== 'users_with_crash')
  const vitals = VITALS.filter((name) => told.includes(name))
  const isPart = vitals.length > 0 && vitals.length < VITALS.length
  const others = isPart ? told.filter((name) => !vitals.includes(name)) : told
  const part = `There is no ${vitals.map((name) => name.toUpperCase()).join(', ')} of both releases to compare.`
  return [...new Set(others.map((name) => `${WORDS[name].absent}.`)), ...(isPart ? [part] : [])]
}

const VITALS: readonly ReleaseMeasure[] = ['lcp', 'inp', 'cls', 'fcp', 'ttfb']

/** Shares differ by points, vitals by a part of what they were. */
export const changeFigure = ({ isRelative }: Pick<JudgedMeasure, 'isRelative'>, by: number): string =>
  `${by < 0 ? '−' : '+'}${Math.abs(by * 100).toFixed(1)}${isRelative ? '%' : ' points'}`

const whole = (count: number): string => count.toLocaleString('en-US')

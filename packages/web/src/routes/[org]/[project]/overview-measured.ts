/** What the overview says of web vitals, and of what the data cannot show. Pure. */
import type { JudgedRelease, MovedVital, MovedVitals, NavigationHealth, VitalChange } from '@sonde/queries'
import { absentSentences, changeFigure } from '@sonde/queries/contract'
import { countOf, formatExact } from '../../../format/format-count.ts'
import { vitalTitle } from '../../../parts/vitals/vital-words.ts'
import { paths } from '../../../paths.ts'
import type { Place, Sentence } from './overview-section.ts'
import { narrowed } from './overview-words.ts'

type Vitals =
  | {
      readonly kind: 'release'
      readonly release: string
      readonly before: string
      readonly moved: MovedVitals
    }
  /** Without two releases: against the time before, as long as this one. */
  | { readonly kind: 'week'; readonly changes: readonly VitalChange[] }

const SHOWN_WORSE = 3
const SHOWN_BETTER = 2
const MARGIN = 0.1

export function vitalSentences(place: Place, vitals: Vitals): readonly Sentence[] {
  return vitals.kind === 'release' ? releaseVitals(place, vitals) : weekVitals(place, vitals.changes)
}

function releaseVitals(
  place: Place,
  { release, before, moved }: Extract<Vitals, { kind: 'release' }>,
): readonly Sentence[] {
  const { worse, better, compared, tooFew, samples } = moved
  if (samples === 0) return []
  const to = paths.vitals(place.org, place.project)
  const rest = tooFew > 0 ? ` ${countOf(tooFew, 'route')} of few page loads cannot be compared yet.` : ''
  if (compared === 0)
    return [
      {
        tone: 'plain',
        text: `Too few page loads to compare routes with ${before}: of no route are there 30 of both releases yet.`,
        link: { to, name: 'Web vitals' },
      },
    ]
  if (worse.length + better.length === 0)
    return [
      {
        tone: 'good',
        text: `No route is measurably slower or faster than in ${before}: ${countOf(compared, 'route')} compared.${rest}`,
        link: { to, name: 'Web vitals' },
      },
    ]
  const more = worse.length - SHOWN_WORSE
  return [
    ...worse.slice(0, SHOWN_WORSE).map((each) => movedSentence(place, release, each)),
    ...(more > 0
      ? [
          {
            tone: 'bad' as const,
            text: `${formatExact(more)} more got slower.`,
            link: { to, name: 'Web vitals' },
          },
        ]
      : []),
    ...better.slice(0, SHOWN_BETTER).map((each) => movedSentence(place, release, each)),
  ]
}

function movedSentence({ org, project }: Place, release: string, moved: MovedVital): Sentence {
  const { route, name, samples, by, low, high } = moved
  const isWorse = by > 0
  return {
    tone: isWorse ? 'bad' : 'good',
    text: `${vitalTitle(name)} of ${route} ${wordOf(name, isWorse)}: ${figures(by, low, high)}, from ${samplesText(samples)}.`,
    link: { to: narrowed(paths.vitals(org, project), { vital: name, route, release }), name: 'Explain' },
  }
}

function weekVitals({ org, project }: Place, changes: readonly VitalChange[]): readonly Sentence[] {
  if (changes.length === 0) return []
  const to = paths.vitals(org, project)
  const known = changes.flatMap(({ change, ...rest }) =>
    change.kind === 'known' ? [{ ...rest, ...change }] : [],
  )
  const moved = known.filter(({ by, low, high }) => (low > 0 || high < 0) && Math.abs(by) >= MARGIN)
  if (known.length === 0)
    return [
      {
        tone: 'plain',
        text: 'Too few page loads to compare web vitals with the time before: 30 are needed on both sides.',
        link: { to, name: 'Web vitals' },
      },
    ]
  if (moved.length === 0)
    return [
      {
        tone: 'good',
        text: `Web vitals are as in the time before: ${known.map(({ name }) => vitalTitle(name)).join(', ')}.`,
        link: { to, name: 'Web vitals' },
      },
    ]
  return moved.map(({ name, by, low, high, samples }) => ({
    tone: by > 0 ? ('bad' as const) : ('good' as const),
    text: `${vitalTitle(name)} ${wordOf(name, by > 0)} than in the time before: ${figures(by, low, high)}, from ${samplesText(samples)}.`,
    link: { to: narrowed(to, { vital: name }), name: 'Explain' },
  }))
}

const wordOf = (name: VitalChange['name'], isWorse: boolean): string =>
  name === 'cls' ? (isWorse ? 'shifts more' : 'shifts less') : isWorse ? 'is slower' : 'is faster'

const SHARE = { isRelative: true }
const figures = (by: number, low: number, high: number): string =>
  `${changeFigure(SHARE, by)}, 95% interval ${changeFigure(SHARE, low)} to ${changeFigure(SHARE, high)}`

const samplesText = ([now, before]: readonly [number, number]): string =>
  `${formatExact(now)} page loads and ${formatExact(before)} before`

/** What would have to be sent to know more: no fault, so not first. */
export function unknownSentences(
  { org, project }: Place,
  judged: JudgedRelease | undefined,
  navigations: Pick<NavigationHealth, 'count'>,
): readonly Sentence[] {
  const isCompared = judged?.before !== undefined
  const absent = isCompared
    ? absentSentences(judged.absent)
    : navigations.count === 0
      ? absentSentences(['failed_navigations'])
      : []
  return absent.map((text): Sentence => {
    const to = text.includes('sentry-integration')
      ? paths.navigations(org, project)
      : text.includes('of both releases to compare')
        ? paths.vitals(org, project)
        : undefined
    return { tone: 'plain', text, ...(to !== undefined && { link: { to, name: 'How to send them' } }) }
  })
}

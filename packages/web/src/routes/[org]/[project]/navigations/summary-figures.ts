/** What stands on top of the screen: how many navigations gave people the page, and how the others went wrong. */
import type { NavigationTotals, PageDataFailures } from '@sonde/queries'
import { countOf, formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'

export type Figure = {
  readonly name: string
  readonly value: string
  /** Below the value: what it is a share of, who met it. */
  readonly detail: string
  /** `1.2% before`; undefined when there is too little to compare with. */
  readonly before: string | undefined
  readonly about: string
  /** The part of the page that says more. */
  readonly fragment: string | undefined
  readonly isBad: boolean
}

/** With fewer than this in the period before, its share is an accident. */
const FEW = 20

type Counted = 'committed' | 'hung' | 'left' | 'fullLoads'

export function summaryFigures(
  total: NavigationTotals,
  before: NavigationTotals | undefined,
  pageData: readonly Pick<PageDataFailures, 'seen' | 'count' | 'usersWhoSaw'>[],
): readonly Figure[] {
  const past = before && before.waitedFor >= FEW ? before : undefined
  const share = (name: Counted) => ({
    value: formatShare(total[name], total.waitedFor),
    detail: `${formatExact(total[name])} of ${formatExact(total.waitedFor)}`,
    before: past && `${formatShare(past[name], past.waitedFor)} before`,
  })
  const trouble = (name: Counted, fragment: string) => ({ ...share(name), fragment, isBad: total[name] > 0 })
  const seen = pageData.reduce((sum, each) => sum + each.seen, 0)
  const failed = pageData.reduce((sum, each) => sum + each.count, 0)
  const aside = total.count - total.waitedFor
  return [
    {
      name: 'Shown',
      ...share('committed'),
      about: `The new page was seen.${aside > 0 ? ` ${formatExact(aside)} redirects, presses that another one replaced, and those that the page itself held back are in none of these shares.` : ''}`,
      fragment: undefined,
      isBad: false,
    },
    {
      name: 'Seen after',
      value: total.p75 === undefined ? '–' : formatDuration(total.p75),
      detail: total.p95 === undefined ? 'none was shown' : `p75; p95 ${formatDuration(total.p95)}`,
      before: past?.p75 === undefined ? undefined : `${formatDuration(past.p75)} before`,
      about: 'Three of four were seen at least as fast, from the press to the picture.',
      fragment: 'time',
      isBad: false,
    },
    {
      name: 'Hung',
      ...trouble('hung', 'hung'),
      about: 'Took longer than 5 s, whatever came of it. One that was left then counts under both.',
    },
    {
      name: 'Left while waiting',
      ...trouble('left', 'hung'),
      about: 'The person went away before the page was there.',
    },
    {
      name: 'Full page loads',
      ...trouble('fullLoads', 'full-loads'),
      about: 'The router gave up and the browser loaded the whole page.',
    },
    {
      name: 'Page data errors seen',
      value: formatExact(seen),
      detail: failed === 0 ? 'no request failed' : `of ${countOf(failed, 'failure')}`,
      before: undefined,
      about: 'Requests for page data that failed and for which somebody was shown an error.',
      fragment: 'page-data',
      isBad: seen > 0,
    },
  ]
}

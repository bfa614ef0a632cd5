/** What is said of the vitals of those who had an error, in words. Pure. */
import type { IssueVital, IssueVitals, IssueVitalSide } from '@sonde/queries'
import { ISSUE_VITAL_SIDES, MIN_COMPARED_PEOPLE, MIN_COMPARED_VISITS } from '@sonde/queries/contract'
import { countOf } from '../../../../../format/format-count.ts'
import { vitalText, vitalTitle } from '../../../../../parts/vitals/vital-words.ts'

/** `too-much`: the engine gave up on it. */
export type IssueSpeed = IssueVitals | 'too-much'

export const SIDES = ISSUE_VITAL_SIDES
export const SIDE_TITLES: Readonly<Record<IssueVitalSide, string>> = {
  users: 'Affected users',
  visits: 'Affected page loads',
}
const OTHERS: Readonly<Record<IssueVitalSide, string>> = {
  users: 'other users',
  visits: 'other page loads',
}

export type SpeedLine = {
  /** `LCP p75` */
  readonly what: string
  /** `+820 ms` */
  readonly difference: string
  /** `95 % CI +310 ms to +1.4 s` */
  readonly interval: string
  readonly verdict: 'worse' | 'better' | 'undecided'
  /** The numbers behind it, in a sentence. */
  readonly title: string
}

export function speedLine(side: IssueVitalSide, vital: IssueVital): SpeedLine {
  const { name, first, second, difference, low, high } = vital
  const signed = (value: number): string => `${value < 0 ? '−' : '+'}${vitalText(name, Math.abs(value))}`
  const people = ({ samples, clusters }: typeof first): string =>
    `${countOf(samples, 'page view')} from ${countOf(clusters, side === 'users' ? 'user' : 'visitor')}`
  return {
    what: `${vitalTitle(name)} p75`,
    difference: signed(difference),
    interval: `95 % CI ${signed(low)} to ${signed(high)}`,
    verdict: low > 0 ? 'worse' : high < 0 ? 'better' : 'undecided',
    title: `${vitalText(name, first.value)} (${people(first)}) vs. ${vitalText(name, second.value)} for ${OTHERS[side]} (${people(second)}), on the same routes and device types`,
  }
}

/** Undefined where there is nothing to say: no visit of anybody with the error was measured. */
export function fewSpeedText({ affectedVisits, users, visits }: IssueVitals): string | undefined {
  if (users.length + visits.length > 0 || affectedVisits === 0) return undefined
  return `Not enough data to compare: ${countOf(affectedVisits, 'page view')} from affected users. Needs ${MIN_COMPARED_VISITS} page views from ${MIN_COMPARED_PEOPLE} users on each side, on the same routes.`
}

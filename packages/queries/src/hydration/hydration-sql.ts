/** What the questions about hydration have in common. */
import { HYDRATION_MISMATCH_OP, HYDRATION_PREFIX, type HydrationDifference } from '@sonde/protocol/hydration'
import type { RankedIssue } from './hydration-issues.ts'

/** Rows of `spans` that are mismatches, harmless ones among them. */
export const HYDRATION_MISMATCHES = `is_segment = 0 AND op = '${HYDRATION_MISMATCH_OP}'`

export const word = (key: string): string => `strings['${HYDRATION_PREFIX}${key}']`

export type HydrationRank = {
  readonly route: string
  readonly component: string
  /** `sdk`: an error of an SDK that tells neither what differs nor what it costs. */
  readonly source: 'sonde' | 'sdk'
  /** Page loads in which it differed. */
  readonly pages: number
  /** Of which: page loads of the route that were hydrated, else all of them; 0: nobody told. */
  readonly ofPages: number
  /** People, as far as the site tells who they are. */
  readonly users: number
  /** The most frequent difference; undefined: nobody looked. */
  readonly shown:
    | {
        readonly difference: HydrationDifference
        readonly node: string
        readonly before: string
        readonly after: string
      }
    | undefined
  /** Of the page loads, those in which everything was rendered anew. */
  readonly rootPages: number
  /** Mean of a page load in which it was measured; undefined: in none. */
  readonly meanMs: number | undefined
  /** `meanMs` × people, page loads where nobody is known; what it is ranked by. */
  readonly msUsers: number | undefined
  readonly lastMs: number
  readonly issue: RankedIssue | undefined
}

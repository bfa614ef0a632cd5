/** What a deployment left behind, in words: for the card, the table, and wherever one sentence has to do. Pure. */
import type { DeployedBuild, KeepFiles } from '@sonde/queries'
import { countOf, formatExact } from '../../format/format-count.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** While more than this share of the tabs is still open, the slowest one in a hundred is not known yet. */
const SETTLED = 0.01

type Outcomes = DeployedBuild['outcomes']

/** Tabs that went on with a build that works. */
export const cameThrough = ({ recovered = 0, reloaded = 0 }: Outcomes): number => recovered + reloaded

/** `35 recovered (30 by a reload), 2 stuck, 1 in a reload loop`; empty when nothing is known. */
export function outcomesText(outcomes: Outcomes): string {
  const { reloaded = 0, stuck = 0, looped = 0, unknown = 0 } = outcomes
  const through = cameThrough(outcomes)
  const parts = [
    through > 0 &&
      `${formatExact(through)} recovered${reloaded > 0 ? ` (${reloaded === through ? '' : `${formatExact(reloaded)} `}by a reload)` : ''}`,
    stuck > 0 && `${formatExact(stuck)} stuck`,
    looped > 0 && `${formatExact(looped)} in a reload loop`,
    unknown > 0 && `${formatExact(unknown)} unknown`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** Rounded up, never to nothing: `26 h`, `40 min`. */
export function keepFor(ms: number): string {
  return ms < HOUR_MS ? `${Math.max(1, Math.ceil(ms / MINUTE_MS))} min` : `${Math.ceil(ms / HOUR_MS)} h`
}

/** What to do, and how sure that is. */
export type KeepText = { readonly advice: string; readonly basis: string }

export function keepText({ tabs, deployments, open, longestMs, p99 }: KeepFiles, least: number): KeepText {
  const over = `${countOf(tabs, 'tab')} over ${countOf(deployments, 'deployment')}`
  if (p99 === undefined)
    return {
      advice: 'Not enough data yet to say how long old files are needed.',
      basis: `${over} were seen on an old build, for up to ${keepFor(longestMs)}; ${least} are needed.`,
    }
  const interval =
    p99.highMs === undefined
      ? `95% interval from ${keepFor(p99.lowMs)}, without an upper end`
      : `95% interval ${keepFor(p99.lowMs)} to ${keepFor(p99.highMs)}`
  const isGrowing = open > tabs * SETTLED
  return {
    advice: `Keep old files for at least ${keepFor(p99.ms)}${isGrowing ? ' so far' : ''}.`,
    basis: `99% of ${over} were last seen within that time after the next build came (${interval}).${
      isGrowing ? ` ${countOf(open, 'of them is', 'of them are')} still open, so this will grow.` : ''
    }`,
  }
}

/** `412 tabs on the old build, 37 hit missing chunks: 35 recovered, 2 stuck; keep old files for at least 26 h` */
export function deploymentSentence(
  { leftTabs, missedTabs, outcomes }: Pick<DeployedBuild, 'leftTabs' | 'missedTabs' | 'outcomes'>,
  keep: KeepFiles | undefined,
): string {
  const what = outcomesText(outcomes)
  const parts = [
    `${leftTabs < missedTabs ? 'at least ' : ''}${countOf(Math.max(leftTabs, missedTabs), 'tab')} on the old build`,
    missedTabs > 0
      ? `${formatExact(missedTabs)} hit missing chunks${what === '' ? '' : `: ${what}`}`
      : 'none hit missing chunks',
  ]
  const advice = keep?.p99 === undefined ? '' : `; keep old files for at least ${keepFor(keep.p99.ms)}`
  return parts.join(', ') + advice
}

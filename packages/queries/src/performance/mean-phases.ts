/**
 * Where the time of navigations goes. Data and code are loaded side by side, so their lengths do not add up: of each
 * navigation only the longer of the two counts, the one that was waited for. Then the parts of the way add up to what a
 * person waited, and their means to the mean.
 */
import { NAVIGATION_PHASES, type NavigationPhase } from '@sonde/protocol/navigation'
import { SHARE_SQL } from './navigation-filter.ts'

/** Mean milliseconds of those that committed; all of them, one that did not have a phase counts with 0. */
export type MeanPhases = { readonly [Phase in NavigationPhase]?: number }

const SHOWN = `outcome = 'committed'`
const isLonger: { readonly [Phase in NavigationPhase]?: string } = {
  data: 'ifNull(data_ms, 0) >= ifNull(chunk_ms, 0)',
  chunk: 'ifNull(chunk_ms, 0) > ifNull(data_ms, 0)',
}

/** Columns `dataMean` and so on; null or NaN where nothing committed. */
export const MEAN_PHASES_SQL = NAVIGATION_PHASES.map((phase) => {
  const counts = isLonger[phase] === undefined ? SHOWN : `${SHOWN} AND ${isLonger[phase]}`
  return `sumIf(ifNull(${phase}_ms, 0) * ${SHARE_SQL}, ${counts}) / sumIf(${SHARE_SQL}, ${SHOWN}) AS ${phase}Mean`
}).join(',\n  ')

export type MeanPhaseColumns = { readonly [Phase in NavigationPhase as `${Phase}Mean`]: number | null }

/** `shown`: how many rows committed. */
export function meanPhasesOf(row: MeanPhaseColumns, shown: number): MeanPhases {
  if (shown === 0) return {}
  const entries = NAVIGATION_PHASES.flatMap((phase) => {
    const ms = row[`${phase}Mean`]
    return ms ? [[phase, ms] as const] : []
  })
  return Object.fromEntries(entries)
}

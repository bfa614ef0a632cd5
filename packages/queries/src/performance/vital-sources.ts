/**
 * The scripts and files behind a vital's values. Places in scripts are led back to their source before they are summed
 * up: two releases of one function are one row, though the bundles and the letters in them differ.
 */
import type { SourcePosition } from '@sonde/protocol/code-position'
import type { QueryDeps } from '../query-deps.ts'
import { MAX_PLACES, resolveScripts } from '../scripts/resolve-scripts.ts'
import {
  PLACE_COLUMNS,
  PLACE_KEY,
  type PlaceRow,
  positionOf,
  type SourcePlace,
  type Unreadable,
  unreadableOf,
} from '../scripts/script-position.ts'
import type { Conditions } from './performance-filter.ts'
import { type CauseFigures, VITAL_ROWS } from './vital-conditions.ts'

/** The script that ran longest (INP) or the picture that was painted (LCP); of scripts also what ran in it. */
export type VitalSource = CauseFigures & {
  /** Of a place that is in several bundles: of the one that cost most. */
  readonly source: string
  /** As the browser told it: mostly short letters of a bundle. Empty where nobody said: only scripts have them. */
  readonly functionName: string
  readonly invoker: string
  /** Where it was written. */
  readonly place: SourcePlace | undefined
  /** Why that is not known; undefined where it is, and where no place in a script was told. */
  readonly unreadable: Unreadable | undefined
}

type Reported = { readonly functionName: string; readonly invoker: string }
type Ranked = PlaceRow & Reported & { readonly key: string }
type Figured = CauseFigures & {
  /** Of `groupsOf`, counted from 1; 0: by what was told. */
  readonly chosen: number
  readonly reported: readonly [source: string, functionName: string, invoker: string]
}

const [FUNCTION, INVOKER] = ["strings['code.function']", "strings['browser.script.invoker']"]

export type VitalSourcesInput = {
  /** Rows of one vital. */
  readonly where: Conditions
  readonly figures: string
  readonly rows: number
  /** Pictures have no places. */
  readonly isScript: boolean
}

/**
 * Two passes over the vital's rows: which places cost the most, at most 200 of them; then the figures, where all that
 * lie at one place of the source are one group. What is not led back is summed up by what the browser told.
 */
export async function vitalSources(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  { where, figures, rows, isScript }: VitalSourcesInput,
): Promise<VitalSource[]> {
  const from = `FROM ${VITAL_ROWS} WHERE ${where.sql} AND source != ''`
  const ranked =
    isScript && deps.resolvePositions !== undefined
      ? await deps.telemetry.query<Ranked>(
          `SELECT ${PLACE_COLUMNS}, ${FUNCTION} AS functionName, ${INVOKER} AS invoker, ${PLACE_KEY} AS key, ${figures}
           ${from} AND character >= 0
           GROUP BY projectId, release, source, character, debugId, dist, functionName, invoker, key
           ORDER BY bad DESC, p75 DESC, key LIMIT {places:UInt32}`,
          { ...where.params, places: MAX_PLACES },
        )
      : []
  const answers = await resolveScripts(deps, ranked.map(positionOf))
  const { groups, groupOfKey } = groupsOf(ranked, answers)
  const reported = `(source, ${FUNCTION}, ${INVOKER})`
  const chosen = `transform(${PLACE_KEY}, {keys:Array(String)}, {groups:Array(UInt32)}, toUInt32(0))`
  // The engine does not take a constant as what is grouped by.
  const by =
    groupOfKey.size === 0
      ? { columns: `0 AS chosen, ${reported} AS reported`, keys: 'reported' }
      : {
          columns: `${chosen} AS chosen, if(chosen = 0, ${reported}, ('', '', '')) AS reported`,
          keys: 'chosen, reported',
        }
  const figured = await deps.telemetry.query<Figured>(
    `SELECT ${by.columns}, ${figures} ${from}
     GROUP BY ${by.keys} ORDER BY bad DESC, p75 DESC, ${by.keys} LIMIT {rows:UInt32}`,
    { ...where.params, keys: [...groupOfKey.keys()], groups: [...groupOfKey.values()], rows },
  )
  const problems = problemsOf(ranked, answers)
  return figured.map(
    ({ chosen: group, reported: [source, functionName, invoker], p75, samples, count, bad }) => ({
      ...(groups[group - 1] ?? {
        source,
        functionName,
        invoker,
        place: undefined,
        unreadable: problems.get(textKey({ source, functionName, invoker })),
      }),
      p75,
      samples,
      count,
      bad,
    }),
  )
}

type Group = Omit<VitalSource, keyof CauseFigures>

/** Places of one line and function of a source are one, whatever bundle they came in. */
function groupsOf(ranked: readonly Ranked[], answers: readonly (SourcePosition | undefined)[]) {
  const groups: Group[] = []
  const numberOf = new Map<string, number>()
  const groupOfKey = new Map<string, number>()
  ranked.forEach(({ key, source, functionName, invoker }, at) => {
    const place = answers[at]
    if (!place?.ok) return
    const line = JSON.stringify([place.source, place.line, place.functionName])
    if (!numberOf.has(line))
      numberOf.set(line, groups.push({ source, functionName, invoker, place, unreadable: undefined }))
    groupOfKey.set(key, numberOf.get(line)!)
  })
  return { groups, groupOfKey }
}

/** Why the costliest place of each row could not be led back. */
function problemsOf(ranked: readonly Ranked[], answers: readonly (SourcePosition | undefined)[]) {
  const problems = new Map<string, Unreadable>()
  ranked.forEach((row, at) => {
    const unreadable = unreadableOf(answers[at], row.release)
    if (unreadable && !problems.has(textKey(row))) problems.set(textKey(row), unreadable)
  })
  return problems
}

const textKey = ({ source, functionName, invoker }: Reported & { readonly source: string }): string =>
  JSON.stringify([source, functionName, invoker])

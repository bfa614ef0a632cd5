/**
 * Why frames of scripts are not readable, as clients of the public API know it: one entry of `errors` for each script and
 * reason. Our own reason goes with it, which says more.
 */
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'
import type { FrameProblem } from '@sonde/protocol/frame-problem'

export type JsError = {
  readonly type: string
  readonly message: string
  readonly data: Readonly<Record<string, string | number>>
}

/** As `errors` of https://docs.sentry.io/api/events/retrieve-an-event-for-a-project/ names them. */
const NOT_FOUND = { type: 'js_no_source', message: 'Source code was not found' } as const
const INVALID = { type: 'js_invalid_source', message: 'Source map was not valid' } as const
const LOCATION = {
  type: 'js_invalid_sourcemap_location',
  message: 'Invalid location in the source map',
} as const
const TYPES: Readonly<Record<FrameProblem, { readonly type: string; readonly message: string }>> = {
  no_debug_id: NOT_FOUND,
  no_artifact: NOT_FOUND,
  no_release_files: NOT_FOUND,
  other_dist: NOT_FOUND,
  no_such_file: NOT_FOUND,
  no_map: NOT_FOUND,
  too_large: { type: 'js_too_large', message: 'Source code or source map is too large' },
  broken_map: INVALID,
  unsupported_map: INVALID,
  other_file: LOCATION,
  no_position: LOCATION,
  no_source: { type: 'js_missing_sources_content', message: 'The source map has no text of its sources' },
}

/** An event of many bundles has as many entries; nobody reads more. */
const MAX_ERRORS = 50

export function jsErrors({
  exception = [],
  threads = [],
}: Pick<NormalizedEvent, 'exception' | 'threads'>): JsError[] {
  const errors = new Map<string, JsError>()
  for (const frame of [...exception, ...threads].flatMap(({ stacktrace }) => stacktrace?.frames ?? [])) {
    const error = errorOf(frame)
    if (error) errors.set(JSON.stringify(error), error)
    if (errors.size === MAX_ERRORS) break
  }
  return [...errors.values()]
}

function errorOf({ problem, abs_path: path, filename, lineno, colno, data }: Frame): JsError | undefined {
  if (!problem) return undefined
  const { reason, detail } = problem
  const url = path ?? filename
  const map = data?.['sourcemap']
  const place = TYPES[reason] === LOCATION
  return {
    ...TYPES[reason],
    data: {
      ...(url === undefined ? {} : { url }),
      ...(typeof map === 'string' ? { sourcemap: map } : {}),
      ...(place && lineno !== undefined ? { row: lineno } : {}),
      ...(place && colno !== undefined ? { column: colno } : {}),
      reason,
      ...(detail === undefined ? {} : { detail }),
    },
  }
}

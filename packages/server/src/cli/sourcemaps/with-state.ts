import type { ServerState } from './ask-server.ts'
import type { BundleCheck, BundleProblem } from './check-bundle.ts'

/** Many builds delete their maps once they are uploaded: what the server can read is not missing. */
const NOT_MISSED: ReadonlySet<BundleProblem> = new Set(['no_map', 'map_missing', 'not_checked'])

/** A check with what the server has under its debug id. Undefined: it has no debug id. */
export function withState(check: BundleCheck, told: ServerState | undefined): BundleCheck {
  const { debugId, problems } = check
  if (debugId === undefined) return check
  const state = told?.state ?? 'missing'
  if (state === 'readable')
    return { ...check, server: state, problems: problems.filter(({ problem }) => !NOT_MISSED.has(problem)) }
  const rest = problems.filter(({ problem }) => problem !== 'not_checked')
  const own =
    state === 'missing'
      ? ({ problem: 'not_uploaded', detail: `the server has nothing with ${debugId}` } as const)
      : ({ problem: 'broken_upload', detail: told?.detail ?? '' } as const)
  return { ...check, server: state, problems: [...rest, own] }
}

/**
 * Whether the roles of this start can do their work, for `/readyz`. Engines on servers are asked, at most once a second;
 * those in this process are there as long as it is.
 */
import { type Clock, steadyMs } from '@sonde/base'
import type { Role } from '../modules.ts'

type Engine = 'records' | 'telemetry'

/** What a role cannot do without. */
const NEEDED: { readonly [role in Role]: readonly Engine[] } = {
  ingest: [],
  pipeline: ['records', 'telemetry'],
  // Without telemetry the screens say what is missing; without any node people would see an error of the load balancer.
  web: ['records'],
  alerts: ['records', 'telemetry'],
  maintain: ['records'],
}

/** Longer than a server that is well takes, shorter than the patience of a probe. */
const ANSWER_WITHIN_MS = 2_000
/** However many probes there are. */
const ASK_EVERY_MS = 1_000

export type ReadinessOptions = {
  readonly roles: ReadonlySet<Role>
  /** Resolves when the engine answered. Absent: it is in this process. */
  readonly ask: { readonly [engine in Engine]?: () => Promise<unknown> }
  readonly clock: Clock
  readonly answerWithinMs?: number
}

/** What is missing, in words that tell a stranger nothing of where it is; empty: ready. */
export type Readiness = () => Promise<readonly string[]>

export function createReadiness({ roles, ask, clock, answerWithinMs }: ReadinessOptions): Readiness {
  const needed = new Set([...roles].flatMap((role) => NEEDED[role]))
  const examine = async (): Promise<readonly string[]> => {
    const answers = [...needed].map(async (engine) => {
      const isThere = await answersInTime(ask[engine], answerWithinMs ?? ANSWER_WITHIN_MS)
      return isThere ? [] : [`${engine}: no answer`]
    })
    return (await Promise.all(answers)).flat()
  }
  let known: { readonly atMs: number; readonly missing: Promise<readonly string[]> } | undefined
  return () => {
    if (!known || steadyMs(clock) - known.atMs >= ASK_EVERY_MS)
      known = { atMs: steadyMs(clock), missing: examine() }
    return known.missing
  }
}

async function answersInTime(ask: (() => Promise<unknown>) | undefined, withinMs: number): Promise<boolean> {
  if (!ask) return true
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, withinMs, false)
  const asked = ask().then(
    () => true,
    () => false,
  )
  const isThere = await Promise.race([asked, late])
  clearTimeout(timer)
  return isThere
}

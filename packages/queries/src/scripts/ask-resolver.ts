/** Asks for places, for as long as a person waits for a screen. */
import type { CodePosition, ResolvePositions, SourcePosition } from '@sonde/protocol/code-position'

/** Reading a large map takes half a second; while the store of files is in trouble, threads wait without an end. */
const MAX_WAIT_MS = 5_000

/**
 * In the order asked. Undefined: not in time, or it failed. A screen without sources says what the browser told, and is
 * right the next time; the pipeline tells of its own trouble.
 */
export async function askResolver(
  resolvePositions: ResolvePositions,
  positions: readonly CodePosition[],
  maxWaitMs = MAX_WAIT_MS,
): Promise<readonly (SourcePosition | undefined)[]> {
  const nothing = positions.map(() => undefined)
  if (positions.length === 0) return nothing
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof nothing>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs, nothing)
  })
  try {
    return await Promise.race([resolvePositions(positions), late])
  } catch {
    return nothing
  } finally {
    clearTimeout(timer)
  }
}

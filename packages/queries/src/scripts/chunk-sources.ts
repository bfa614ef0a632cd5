/** What lies in a file of code: `cart-BxY3.js` says little, `src/routes/cart/page.tsx` says where to look. */
import type { CodePosition, SourcePosition } from '@sonde/protocol/code-position'
import type { QueryDeps } from '../query-deps.ts'
import { MAX_PLACES, resolveScripts } from './resolve-scripts.ts'
import { codePosition, type SourcePlace, type Unreadable, unreadableOf } from './script-position.ts'

export type ChunkFile = {
  /** As the reporter told it: the path. */
  readonly url: string
  /** Names of sources, the application's own first; at most three. Empty: no map says. */
  readonly sources: readonly string[]
  /** Why no source is known; undefined where one is, and where nobody reads maps. */
  readonly unreadable: Unreadable | undefined
}

export type ChunkRef = { readonly url: string; readonly projectId: number; readonly release: string }

/**
 * Characters that are looked at: minified modules are some hundred to some thousand long, and what a plugin puts in front
 * of a file to register its debug id some four hundred.
 */
const PROBES = [0, 150, 400, 500, 800, 1_500, 3_000, 8_000, 20_000, 60_000] as const
const MAX_CHUNKS = Math.floor(MAX_PLACES / PROBES.length)
const SHOWN = 3

/** In the order given; of those beyond the first 20 different ones nothing is known. */
export async function chunkSources(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  chunks: readonly ChunkRef[],
): Promise<readonly ChunkFile[]> {
  const different = new Map(chunks.map((chunk) => [keyOf(chunk), chunk]))
  const requested = [...different].slice(0, MAX_CHUNKS)
  const answers = await resolveScripts(
    deps,
    requested.flatMap(([, chunk]) => probesOf(chunk)),
  )
  const read = new Map(
    requested.map(([key, chunk], at) => {
      const own = answers.slice(at * PROBES.length, (at + 1) * PROBES.length)
      return [key, fileOf(chunk, own)] as const
    }),
  )
  return chunks.map((chunk) => read.get(keyOf(chunk)) ?? fileOf(chunk, []))
}

const keyOf = ({ projectId, release, url }: ChunkRef): string => JSON.stringify([projectId, release, url])

const probesOf = ({ projectId, release, url }: ChunkRef): CodePosition[] =>
  PROBES.map((character) => codePosition({ projectId, release, url, debugId: '', dist: '' }, { character }))

function fileOf({ url, release }: ChunkRef, answers: readonly (SourcePosition | undefined)[]): ChunkFile {
  const places = answers.filter((answer): answer is SourcePlace => answer?.ok === true)
  const own = places.toSorted((a, b) => Number(b.isInApp) - Number(a.isInApp))
  const sources = [...new Set(own.map(({ source }) => source))].slice(0, SHOWN)
  // Beyond its end, and in between of what came from sources, every file has such places.
  const problem = answers.find(
    (answer) => answer?.ok === false && answer.problem !== 'other_file' && answer.problem !== 'no_position',
  )
  return { url, sources, unreadable: sources.length > 0 ? undefined : unreadableOf(problem, release) }
}

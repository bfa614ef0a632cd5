/** From a script to its files: by debug id, else by release, dist and address. */
import type { FoundFiles } from '@sonde/stores'
import type { KnownFiles } from '../maps/known-files.ts'

export type ScriptOf = {
  readonly projectId: number
  readonly url: string
  readonly debugId: string | undefined
  readonly release: string | undefined
  readonly dist: string | undefined
}

/** Undefined: not known yet, and noted as lacking. */
export function findFiles(files: KnownFiles, script: ScriptOf): FoundFiles | undefined {
  const { projectId, url, debugId, release: name, dist = '' } = script
  const byId = debugId === undefined ? 'none' : files.ask({ kind: 'debug_id', projectId, debugId })
  // Asked together with the id: one way to the stores for both.
  const release =
    name === undefined || name === '' || (byId !== 'none' && byId !== undefined)
      ? 'none'
      : files.ask({ kind: 'release', projectId, release: name, dist })
  if (byId !== 'none') return byId
  if (release === undefined) return undefined
  if (release === 'none') return debugId === undefined ? NO_DEBUG_ID : noArtifact(debugId)
  const byUrl = release.ok ? files.ask({ kind: 'url', projectId, release: name ?? '', dist, url }) : release
  if (byUrl === undefined || byUrl.ok || debugId === undefined) return byUrl
  // Where a script of the release names a map that is missing, that says more than that nothing has the id.
  return LOOKED_FOR.has(byUrl.problem) ? noArtifact(debugId) : byUrl
}

const LOOKED_FOR: ReadonlySet<string> = new Set(['no_release_files', 'other_dist', 'no_such_file'])

const NO_DEBUG_ID: FoundFiles = {
  ok: false,
  problem: 'no_debug_id',
  detail: 'the event has neither a debug id of this file nor a release',
}

function noArtifact(debugId: string): FoundFiles {
  return { ok: false, problem: 'no_artifact', detail: `debug id ${debugId}` }
}

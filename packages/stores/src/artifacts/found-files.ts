/** What a look-up of uploaded files answers: plain data, it goes to other threads. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import type { Selectable } from 'kysely'
import type { ArtifactFileTable, ArtifactType } from '../records/artifact-tables.ts'

export type FoundFile = {
  readonly id: number
  readonly bundleId: number
  readonly url: string
  readonly blob: string
  /** Uncompressed. */
  readonly bytes: number
}

export type FoundFiles =
  | {
      readonly ok: true
      readonly map: FoundFile
      /** The map stands in the last comment of this file, which is the script. */
      readonly isInline: boolean
      /** The generated code; undefined: nobody uploaded it, the map alone is there. */
      readonly script: FoundFile | undefined
    }
  | { readonly ok: false; readonly problem: FrameProblem; readonly detail: string }

export type FileRow = Pick<
  Selectable<ArtifactFileTable>,
  | 'id'
  | 'bundle_id'
  | 'type'
  | 'url'
  | 'map_ref'
  | 'headers'
  | 'blob'
  | 'bytes'
  | 'problem'
  | 'problem_detail'
>
export const FILE_COLUMNS = [
  'id',
  'bundle_id',
  'type',
  'url',
  'map_ref',
  'headers',
  'blob',
  'bytes',
  'problem',
  'problem_detail',
] as const satisfies readonly (keyof FileRow)[]

export const isScript = ({ type }: { readonly type: ArtifactType }): boolean =>
  type === 'minified_source' || type === 'source'

/** `no_sources`: it leads to file and line, which is most of what a map is for. */
export const isUsable = ({ problem, blob }: FileRow): boolean =>
  blob !== '' && (problem === '' || problem === 'no_sources')

export const notFound = (problem: FrameProblem, detail: string): FoundFiles => ({
  ok: false,
  problem,
  detail,
})

export function foundFile({ id, bundle_id: bundleId, url, blob, bytes }: FileRow): FoundFile {
  return { id, bundleId, url, blob, bytes }
}

/** A map that was found, with the script that it belongs to where that is there. */
export function foundMap(map: FileRow, script: FileRow | undefined): FoundFiles {
  if (isUsable(map))
    return {
      ok: true,
      map: foundFile(map),
      isInline: false,
      script: script && isUsable(script) ? foundFile(script) : undefined,
    }
  const detail = map.problem_detail === '' ? map.url : `${map.url}: ${map.problem_detail}`
  return notFound(map.problem === 'too_large' || map.blob === '' ? 'too_large' : 'broken_map', detail)
}

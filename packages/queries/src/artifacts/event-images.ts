/** The programs and libraries that lay in memory when a native event was sent, and whether a debug file of each was uploaded. */
import type { Grant } from '@sonde/access'
import type { JsonObject, NormalizedEvent } from '@sonde/protocol/event'
import { DEBUG_FILE_TYPES } from '@sonde/stores'
import { readDebugId } from '@sonde/symbols'
import type { QueryDeps } from '../query-deps.ts'

export type EventImage = {
  /** Path as the system loaded it; empty: not said. */
  readonly name: string
  /** Empty: it has none, so no debug file can be found for it. */
  readonly debugId: string
  readonly codeId: string
  /** `0x…`, as it was sent. */
  readonly address: string
  /** In bytes; undefined: not said. */
  readonly size: number | undefined
  /** A frame of the event lies in it. */
  readonly isUsed: boolean
  /** A file with its debug id was uploaded to the organization. */
  readonly isUploaded: boolean
}

export type EventImages = {
  /** Those that frames lie in first, then by address. */
  readonly shown: readonly EventImage[]
  readonly count: number
}

const NATIVE: ReadonlySet<unknown> = new Set(['elf', 'macho', 'apple', 'pe', 'symbolic', 'wasm'])
/** A program on Windows has some hundred. */
const MAX_SHOWN = 300

/** Along `artifact_file_by_debug_id`. Undefined: the event has none. */
export async function eventImages(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId }: Grant<'event:read' | 'project:read', 'project'>,
  event: Pick<NormalizedEvent, 'debug_meta' | 'exception' | 'threads'>,
): Promise<EventImages | undefined> {
  const sent = event.debug_meta?.['images']
  const images = (Array.isArray(sent) ? (sent as readonly unknown[]) : []).filter(isNative)
  if (images.length === 0) return undefined
  const used = usedAddresses(event)
  const read = images.map((image) => imageOf(image, used))
  const shown = read
    .toSorted((a, b) => Number(b.isUsed) - Number(a.isUsed) || addressOf(a) - addressOf(b))
    .slice(0, MAX_SHOWN)
  const ids = [...new Set(shown.map(({ debugId }) => debugId).filter((id) => id !== ''))]
  const rows =
    ids.length === 0
      ? []
      : await records
          .selectFrom('artifact_file')
          .select('debug_id')
          .distinct()
          .where('org_id', '=', orgId)
          .where('debug_id', 'in', ids)
          .where('type', 'in', DEBUG_FILE_TYPES)
          .execute()
  const uploaded = new Set(rows.map(({ debug_id: id }) => id))
  return {
    shown: shown.map((image) => ({ ...image, isUploaded: uploaded.has(image.debugId) })),
    count: images.length,
  }
}

const isNative = (image: unknown): image is JsonObject =>
  typeof image === 'object' && image !== null && NATIVE.has((image as JsonObject)['type'])

function imageOf(image: JsonObject, used: readonly number[]): EventImage {
  const text = (...names: readonly string[]): string => {
    const found = names.map((name) => image[name]).find((value) => typeof value === 'string' && value !== '')
    return typeof found === 'string' ? found : ''
  }
  const address = text('image_addr')
  const size = Number(image['image_size'])
  const start = Number(address)
  return {
    name: text('code_file', 'debug_file', 'name'),
    debugId: readDebugId(image['debug_id'] ?? image['uuid']) ?? '',
    codeId: text('code_id'),
    address,
    size: Number.isSafeInteger(size) && size > 0 ? size : undefined,
    isUsed: size > 0 && used.some((each) => start <= each && each < start + size),
    isUploaded: false,
  }
}

const addressOf = ({ address }: EventImage): number => Number(address) || 0

/** Of a stack all but the innermost frame return to behind the call: within the same image. */
function usedAddresses({ exception = [], threads = [] }: Pick<NormalizedEvent, 'exception' | 'threads'>) {
  const frames = [...exception, ...threads].flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
  return [...new Set(frames.map(({ instruction_addr: at }) => Number(at ?? Number.NaN)))].filter((at) =>
    Number.isFinite(at),
  )
}

/** The images of an event: which programs and libraries lay where in memory, and the mappings of obfuscated code. */
import type { Frame, NormalizedEvent, Stacktrace } from '@sonde/protocol/event'
import { readDebugId } from '@sonde/symbols'

/** https://develop.sentry.dev/sdk/data-model/event-payloads/debugmeta/ */
export type NativeImage = {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** Empty: it has none. */
  readonly debugId: string
  /** Path as the system loaded it. */
  readonly name: string
}

export type Images = {
  /** Ascending by start. */
  readonly native: readonly NativeImage[]
  /** Debug ids of ProGuard mappings, and of Dart's obfuscation maps. */
  readonly mappings: readonly string[]
  readonly dart: readonly string[]
}

const NATIVE: ReadonlySet<unknown> = new Set(['elf', 'macho', 'apple', 'pe', 'symbolic', 'wasm'])
/** Without a size an image reaches to the next, but no further. */
const MAX_UNSIZED = 2 ** 32
const MAX_MAPPINGS = 16

export function imagesOf(event: Pick<NormalizedEvent, 'debug_meta'>): Images {
  const images = event.debug_meta?.['images']
  const native: NativeImage[] = []
  const mappings = new Set<string>()
  const dart = new Set<string>()
  for (const image of Array.isArray(images) ? (images as readonly unknown[]) : []) {
    if (typeof image !== 'object' || image === null) continue
    const fields = image as Readonly<Record<string, unknown>>
    const debugId = readDebugId(fields['debug_id'] ?? fields['uuid'])
    if (fields['type'] === 'proguard' && debugId !== undefined) mappings.add(debugId)
    if (fields['type'] === 'dart_symbols' && debugId !== undefined) dart.add(debugId)
    const start = readAddress(fields['image_addr'])
    if (!NATIVE.has(fields['type']) || start === undefined) continue
    const size = readAddress(fields['image_size'])
    native.push({
      start,
      end: start + (size === undefined || size === 0 ? MAX_UNSIZED : size),
      debugId: debugId ?? '',
      name: text(fields['code_file']) ?? text(fields['debug_file']) ?? text(fields['name']) ?? '',
    })
  }
  native.sort((a, b) => a.start - b.start)
  return {
    native,
    mappings: [...mappings].slice(0, MAX_MAPPINGS),
    dart: [...dart].slice(0, MAX_MAPPINGS),
  }
}

/** `0x…`, decimal text or a number; undefined: none, or one that a double cannot hold. */
function readAddress(value: unknown): number | undefined {
  const address =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^(?:0x[0-9a-f]{1,16}|\d{1,20})$/i.test(value)
        ? Number(value)
        : Number.NaN
  return Number.isSafeInteger(address) && address >= 0 ? address : undefined
}

/** The image that lies at the address. */
export function imageAt(images: readonly NativeImage[], address: number): NativeImage | undefined {
  let low = 0
  let high = images.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (images[middle]!.start <= address) low = middle + 1
    else high = middle
  }
  const image = images[low - 1]
  return image && address < image.end ? image : undefined
}

/**
 * What a frame was executing. All but the innermost of a stack hold where they return to, which may lie in the next line or
 * function: one byte before is within the call.
 */
export function calledAddress(frame: Frame, isInnermost: boolean): number | undefined {
  const address = readAddress(frame.instruction_addr)
  if (address === undefined || address === 0) return undefined
  return isInnermost || frame.data?.['trust'] === 'context' ? address : address - 1
}

/** Debug ids that the frames of the event would be read with. */
export function usedDebugIds(event: NormalizedEvent, stacks: readonly Stacktrace[]): readonly string[] {
  const { native, mappings, dart } = imagesOf(event)
  const used = new Set([...mappings, ...dart])
  if (native.length === 0) return [...used]
  for (const { frames } of stacks)
    frames.forEach((frame, at) => {
      const address = calledAddress(frame, at === frames.length - 1)
      const id = address === undefined ? undefined : imageAt(native, address)?.debugId
      if (id !== undefined && id !== '') used.add(id)
    })
  return [...used]
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

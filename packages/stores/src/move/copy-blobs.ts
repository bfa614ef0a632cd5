/** The blobs of a folder into a bucket. What is there already with the same bytes is left as it is, so it can be repeated. */
import { createPool, SondeError } from '@sonde/base'
import type { Blobs } from '../blobs/blobs.ts'
import { blobChecksum } from '../blobs/s3/s3-blobs.ts'
import type { Compared } from './compared.ts'

export type CopyBlobs = {
  readonly from: Blobs
  readonly to: Blobs
  readonly onBlob: (bytes: number) => void
}

const OPERATION = 'move the blobs'
/** Larger ones go one at a time: each lies in memory as a whole. */
const SMALL_BYTES = 4 * 1024 * 1024
const AT_ONCE = 8

/** Throws `conflict` for a bucket that has blobs. */
export async function checkBlobsTarget(to: Blobs, place: string): Promise<void> {
  for await (const { name } of to.list(''))
    throw new SondeError('conflict', `${OPERATION}: ${place} is not empty: it has ${name}`, {
      operation: OPERATION,
      subject: place,
      hint: 'name another bucket or another prefix in it: s3://bucket/prefix?…',
    })
}

/** Both lists are walked side by side. */
export async function copyBlobs({ from, to, onBlob }: CopyBlobs): Promise<void> {
  const there = to.list('')[Symbol.asyncIterator]()
  let other = await there.next()
  const slots = createPool(Array.from({ length: AT_ONCE }, (_, at) => at))
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  for await (const { name, bytes } of from.list('')) {
    while (!other.done && other.value.name < name) other = await there.next()
    const isSame = !other.done && other.value.name === name && other.value.bytes === bytes
    const job = slots.use(async () => {
      await copyBlob({ from, to }, name, isSame)
      onBlob(bytes)
    })
    const ended = job
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => running.delete(ended))
    running.add(ended)
    if (bytes > SMALL_BYTES) await Promise.all(running)
    else if (running.size >= AT_ONCE) await Promise.race(running)
    if (failure) break
  }
  await Promise.all(running)
  if (failure) throw failure.error
}

async function copyBlob(
  { from, to }: Pick<CopyBlobs, 'from' | 'to'>,
  name: string,
  isSame: boolean,
): Promise<void> {
  const bytes = await from.get(name)
  if (!bytes) return
  if (isSame && (await to.checksum?.(name)) === (await blobChecksum(bytes))) return
  await to.put(name, bytes)
}

/** Number and bytes of each folder. */
export async function compareBlobs(from: Blobs, to: Blobs): Promise<readonly Compared[]> {
  const [own, other] = await Promise.all([sizesOf(from), sizesOf(to)])
  const folders = [...new Set([...own.keys(), ...other.keys()])].toSorted()
  return folders.flatMap((what) =>
    (['blobs', 'bytes'] as const).map((part) => ({
      what,
      part,
      from: own.get(what)?.[part] ?? 0,
      to: other.get(what)?.[part] ?? 0,
    })),
  )
}

type Sizes = { blobs: number; bytes: number }

async function sizesOf(blobs: Blobs): Promise<ReadonlyMap<string, Sizes>> {
  const sizes = new Map<string, Sizes>()
  for await (const { name, bytes } of blobs.list('')) {
    const folder = name.split('/', 1)[0] ?? ''
    const sum = sizes.get(folder) ?? { blobs: 0, bytes: 0 }
    sum.blobs++
    sum.bytes += bytes
    sizes.set(folder, sum)
  }
  return sizes
}

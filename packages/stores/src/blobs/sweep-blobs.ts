import type { BlobsFolder } from './folder-blobs.ts'
import type { S3Place } from './s3/s3-address.ts'

/** On this machine's disk, or on an S3 server. */
export type BlobsPlace = BlobsFolder | S3Place

/**
 * Removes writes that a crash left unfinished. In a folder only for the one process that writes, and before it does: it
 * would take the unfinished writes of another. On a server what is older than a day. Throws `SondeError` when the place
 * cannot be written to.
 */
export async function sweepBlobs(place: BlobsPlace): Promise<void> {
  if ('dir' in place) {
    const { sweepFolder } = await import('./folder-blobs.ts')
    await sweepFolder(place.dir)
  } else {
    const { sweepS3 } = await import('./s3/s3-blobs.ts')
    await sweepS3(place)
  }
}

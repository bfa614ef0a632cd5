/** Opens the blobs: a folder. S3 will be chosen here by URL. */
import type { Blobs } from './blobs.ts'
import { openFolder, sweepFolder } from './folder/open-folder.ts'

export type BlobsPlace = { readonly dir: string }

/** Changes nothing: any process may open them, also beside one that writes. */
export function openBlobs(place: BlobsPlace): Blobs {
  return openFolder(place.dir)
}

/**
 * Removes writes that a crash left unfinished. Only for the one process that writes, and before it does: it would take
 * the unfinished writes of another. Throws `SondeError` when the place cannot be written to.
 */
export function sweepBlobs(place: BlobsPlace): Promise<void> {
  return sweepFolder(place.dir)
}

/** Opens the blobs: a folder. */
import type { Blobs } from './blobs.ts'
import { openFolder, sweepFolder } from './folder/open-folder.ts'

export type BlobsPlace = { readonly dir: string }

/** Changes nothing: any process may open them, also beside one that writes. */
export function openBlobs(place: BlobsPlace): Blobs {
  return openFolder(place.dir)
}

/**
 * Removes writes that a crash left unfinished. Only for the one process that writes, and before it does: it would take
 * the unfinished writes of another. A server
 * has none. Throws `SondeError` when the place cannot be written to.
 */
export async function sweepBlobs(place: BlobsPlace | { readonly url: string }): Promise<void> {
  if ('dir' in place) await sweepFolder(place.dir)
}

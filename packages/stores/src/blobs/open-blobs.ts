/** Opens the blobs: a folder. S3 will be chosen here by URL. */
import type { Blobs } from './blobs.ts'
import { openFolder } from './folder/open-folder.ts'

export type BlobsPlace = { readonly dir: string }

export function openBlobs(place: BlobsPlace): Promise<Blobs> {
  return openFolder(place.dir)
}

import { CHUNK_ERROR_MESSAGE } from '@sonde/protocol/chunk-error'

/** Errors of tabs that could not load code: grouping makes one issue of them, and a list says so. */
export const isChunkIssue = ({
  metadata,
}: {
  readonly metadata: Readonly<Record<string, string>>
}): boolean => CHUNK_ERROR_MESSAGE.test(metadata['value'] ?? '')

/** What is told of code that could not be loaded, in words. Made on the server. */
import type { ChunkFailures } from '@sonde/queries'
import { type UnreadableText, unreadableText } from '../../../../parts/scripts/script-text.ts'

export type ChunksShown = Omit<ChunkFailures, 'files'> & {
  readonly files: readonly { readonly url: string; readonly sources: readonly string[] }[]
  /** Why of none of the files it is known what lies in it. Of some of them it says enough where to look. */
  readonly unread: UnreadableText | undefined
}

export function shownChunks({ files, ...rest }: ChunkFailures): ChunksShown {
  const isAnyRead = files.some(({ sources }) => sources.length > 0)
  const reason = files.find(({ unreadable }) => unreadable !== undefined)?.unreadable
  return {
    ...rest,
    files: files.map(({ url, sources }) => ({ url, sources })),
    unread: isAnyRead || reason === undefined ? undefined : unreadableText(reason),
  }
}

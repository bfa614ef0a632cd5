/** What is used of yauzl, which brings no types. */
declare module 'yauzl' {
  export type Entry = {
    readonly fileName: string
    readonly compressionMethod: number
    readonly compressedSize: number
    readonly uncompressedSize: number
    readonly relativeOffsetOfLocalHeader: number
    isEncrypted(): boolean
  }
  export class ZipFile {
    readonly entryCount: number
    eachEntry(): AsyncIterableIterator<Entry>
    readLocalFileHeaderPromise(
      entry: Entry,
      options: { readonly minimal: true },
    ): Promise<{ readonly fileDataStart: number }>
    close(): void
  }
  export class RandomAccessReader {
    read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null, bytesRead?: number) => void,
    ): void
  }
  const yauzl: {
    RandomAccessReader: typeof RandomAccessReader
    fromRandomAccessReaderPromise(
      reader: RandomAccessReader,
      totalSize: number,
      options: { readonly autoClose: boolean; readonly strictFileNames: boolean },
    ): Promise<ZipFile>
  }
  export default yauzl
}

/** How many rows a Parquet file of this machine has. */
import { open } from 'node:fs/promises'
import { footerBytes, parquetRows } from './parquet-footer.ts'

/** Throws for a file that is none, or was cut. */
export async function rowsOfParquet(path: string): Promise<number> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tail = async (length: number): Promise<Buffer> => {
      const bytes = Buffer.alloc(Math.min(length, size))
      await file.read(bytes, 0, bytes.length, size - bytes.length)
      return bytes
    }
    const length = footerBytes(await tail(8))
    if (length === undefined || length > size) throw new RangeError(`${path} is no Parquet file`)
    return parquetRows(await tail(length))
  } finally {
    await file.close()
  }
}

/** Files of Swagger UI. A build replaces this file by one that reads copies beside the bundle (scripts/build/reader-files.ts). */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const readerScript = (): Promise<Buffer> =>
  readFile(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')))
export const readerStyles = (): Promise<Buffer> =>
  readFile(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css')))

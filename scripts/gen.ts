/** `npm run gen`: writes the pages that are made from the code. */
import { join } from 'node:path'
import { generatedPages, writePages } from './gen/pages.ts'

writePages(join(import.meta.dirname, '..'), await generatedPages())

/** The programs beside, which `programs/build.sh` makes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const program = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'programs', name))

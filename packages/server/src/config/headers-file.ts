/** Headers for requests that Sonde sends, out of a file: a token in the environment is seen by whoever lists processes. */
import { readFileSync, statSync } from 'node:fs'
import { ConfigError } from '@sonde/base'
import { isOpenToOthers } from '../secret/secret-file.ts'
import { SETTINGS } from './settings.ts'

const LINE = /^([\w-]{1,100}): ?([\x20-\x7e]{0,4000})$/

/** Throws `ConfigError` for a file that is not there, that others can read, or that has something else in it. */
export function readHeadersFile(file: string): Readonly<Record<string, string>> {
  const { name } = SETTINGS.otlpHeadersFile
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new ConfigError(name, `${file} is no file`)
  if (isOpenToOthers(found, process.getuid?.()))
    throw new ConfigError(name, `other users of this machine may read ${file}`, `chmod 600 ${file}`)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return Object.fromEntries(
    lines.map((line, at) => {
      const [, header, value] = LINE.exec(line) ?? []
      // The line itself may hold a secret.
      if (header === undefined || value === undefined)
        throw new ConfigError(name, `line ${at + 1} of ${file} is not "name: value"`)
      return [header, value]
    }),
  )
}

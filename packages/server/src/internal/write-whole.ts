/** A file of the data folder that says what may be opened there: whole or not at all, also when the machine fails. */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'

export function writeWhole(file: string, text: string): void {
  const draft = `${file}.draft`
  const handle = openSync(draft, 'w', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
}

/** Writes injected files back. Both are complete beside the old ones before the first takes its place. */
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** `files`: path → text. */
export function writeChanged(files: ReadonlyMap<string, string>): void {
  const made: { readonly from: string; readonly to: string }[] = []
  try {
    for (const [to, text] of files) {
      const from = `${to}.${process.pid}.sonde`
      writeFileSync(from, text, { mode: statSync(to).mode })
      made.push({ from, to })
    }
    for (const { from, to } of made) renameSync(from, to)
  } catch (error) {
    for (const { from } of made) rmSync(from, { force: true })
    throw error
  }
}

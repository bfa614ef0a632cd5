import type { FileCounts } from './run-job.mjs'

type Job = {
  readonly suite: { readonly name: string; readonly runs?: RegExp }
  readonly name: string
  readonly files: readonly string[]
}
export type GreenRun = { readonly key: string; readonly counts: Readonly<Record<string, FileCounts>> }
export function createGreenRuns(root?: string): {
  find(job: Job): GreenRun | undefined
  lastMs(job: Job): number | undefined
  remember(job: Job, counts: Readonly<Record<string, FileCounts>>): void
}

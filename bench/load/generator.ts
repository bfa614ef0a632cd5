/** The sender's own process: takes jobs over IPC, one after the other, and reports what was accepted as it goes. */
import { readFileSync } from 'node:fs'
import { type Job, runJob } from './run-job.ts'
import type { LoadResult } from './tally.ts'
import { createTemplate, type Target, type Template } from './template.ts'

export type Request =
  | {
      readonly kind: 'payloads'
      readonly name: string
      readonly file: string
      readonly targets: readonly Target[]
      readonly gzip: boolean
    }
  /** `reportEvery` 1: each accepted request is reported; 100: the 1st, 101st, …; 0: none. */
  | { readonly kind: 'run'; readonly job: Job; readonly payloads: string; readonly reportEvery: number }
  | { readonly kind: 'abort' }

/** Counter of the event and when its 200 came. */
export type Accepted = readonly [counter: number, atMs: number]
export type Report =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'accepted'; readonly accepted: readonly Accepted[] }
  | { readonly kind: 'done'; readonly result: LoadResult }

const REPORT_AFTER_MS = 20
const payloads = new Map<string, Template[]>()
let running = new AbortController()

process.on('message', (request: Request) => {
  if (request.kind === 'payloads') {
    const envelopes = JSON.parse(readFileSync(request.file, 'utf8')) as string[]
    payloads.set(
      request.name,
      envelopes.map((envelope, at) =>
        createTemplate(
          Buffer.from(envelope),
          request.targets[at % request.targets.length] as Target,
          request,
        ),
      ),
    )
    report({ kind: 'loaded' })
  } else if (request.kind === 'abort') running.abort()
  else void run(request.job, payloads.get(request.payloads) ?? [], request.reportEvery)
})
// Whoever measures is gone: nobody wants this load any more.
process.on('disconnect', () => process.exit(0))

async function run(job: Job, templates: readonly Template[], reportEvery: number): Promise<void> {
  running = new AbortController()
  let accepted: Accepted[] = []
  const flush = (): void => {
    if (accepted.length > 0) report({ kind: 'accepted', accepted })
    accepted = []
  }
  const timer = setInterval(flush, REPORT_AFTER_MS)
  const result = await runJob(job, templates, {
    signal: running.signal,
    onAccepted(counter, atMs) {
      if (reportEvery > 0 && counter % reportEvery === 0) accepted.push([counter, atMs])
    },
  })
  clearInterval(timer)
  flush()
  report({ kind: 'done', result })
}

function report(message: Report): void {
  process.send?.(message)
}

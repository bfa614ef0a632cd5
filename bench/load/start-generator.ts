/** Starts the sender's process and gives jobs to it. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Accepted, Report, Request } from './generator.ts'
import type { Job } from './run-job.ts'
import type { LoadResult } from './tally.ts'
import type { Target } from './template.ts'

export type RunOptions = Omit<Job, 'host' | 'port' | 'timeoutMs'> & {
  readonly target: Target
  readonly payloads: string
  readonly reportEvery?: number
  readonly onAccepted?: (accepted: readonly Accepted[]) => void
  readonly timeoutMs?: number
}

export type RunningJob = {
  /** Sends nothing new; `result` comes when what is on its way is over. */
  abort(): void
  readonly result: Promise<LoadResult>
}

export type Generator = {
  readonly pid: number
  /**
   * `envelopes` name their event `ID_PLACE`. Jobs refer to them by `name`. Several targets (of one address) get the
   * envelopes in turn.
   */
  load(name: string, envelopes: readonly string[], ...targets: Target[]): Promise<void>
  /** Their bodies are compressed, as SDKs do. */
  loadGzip(name: string, envelopes: readonly string[], ...targets: Target[]): Promise<void>
  /** One job at a time. */
  start(options: RunOptions): RunningJob
  run(options: RunOptions): Promise<LoadResult>
  stop(): void
}

type Payloads = Extract<Request, { readonly kind: 'payloads' }>

const TIMEOUT_MS = 5_000

export function startGenerator(): Generator {
  const child: ChildProcess = fork(join(import.meta.dirname, 'generator.ts'), [], { execArgv: [] })
  const scratch = mkdtempSync(join(tmpdir(), 'sonde-load-'))
  let onReport: (report: Report) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  child.on('message', (report: Report) => onReport(report))
  child.on('exit', (code, signal) => fail(new Error(`the load generator ended with ${code ?? signal}`)))
  const ask = (request: Request): void => void child.send(request)

  const start = ({
    target,
    payloads,
    reportEvery = 0,
    onAccepted,
    timeoutMs,
    ...job
  }: RunOptions): RunningJob => {
    const { host, port } = target
    const result = new Promise<LoadResult>((resolve, reject) => {
      fail = reject
      onReport = (report) => {
        if (report.kind === 'accepted') onAccepted?.(report.accepted)
        if (report.kind === 'done') resolve(report.result)
      }
    })
    ask({
      kind: 'run',
      job: { ...job, host, port, timeoutMs: timeoutMs ?? TIMEOUT_MS },
      payloads,
      reportEvery,
    })
    return { result, abort: () => ask({ kind: 'abort' }) }
  }

  const load = (payloads: Omit<Payloads, 'kind' | 'file'>, envelopes: readonly string[]): Promise<void> => {
    const file = join(scratch, `${payloads.name}.json`)
    writeFileSync(file, JSON.stringify(envelopes))
    return new Promise((resolve, reject) => {
      fail = reject
      onReport = () => resolve()
      ask({ kind: 'payloads', file, ...payloads })
    })
  }

  return {
    pid: child.pid ?? 0,
    load: (name, envelopes, ...targets) => load({ name, targets, gzip: false }, envelopes),
    loadGzip: (name, envelopes, ...targets) => load({ name, targets, gzip: true }, envelopes),
    start,
    run: (options) => start(options).result,
    stop() {
      fail = () => undefined
      child.disconnect()
      rmSync(scratch, { recursive: true })
    },
  }
}

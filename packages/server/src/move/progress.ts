/** What a move says while it runs: lines for people, or JSON lines for programs. */
import { type Clock } from '@sonde/base'

export type MoveStep = 'log' | 'telemetry' | 'blobs' | 'records' | 'compare'

/** `rows` are blobs in the step of the blobs. */
export type Advance = { readonly rows: number; readonly bytes?: number; readonly what?: string }

export type Progress = {
  /** `total`: what is to be done, where that is known. */
  begin(step: MoveStep, total?: Advance): void
  add(done: Advance): void
  end(): void
}

const SAY_EVERY_MS = 1_000

export function createProgress({
  clock,
  isJson,
  say,
}: {
  readonly clock: Clock
  readonly isJson: boolean
  readonly say: (line: string) => void
}): Progress {
  let step: MoveStep = 'log'
  let [rows, bytes, beganMs, saidMs] = [0, 0, 0, 0]
  let total: Advance | undefined
  let what = ''
  const tell = (isDone: boolean): void => {
    const tookMs = clock.nowMs() - beganMs
    saidMs = clock.nowMs()
    const left = isDone || !total || rows === 0 ? undefined : (tookMs / rows) * Math.max(0, total.rows - rows)
    if (isJson) {
      const said = { step, ...(what && { what }), rows, bytes, ...(total && { of: total }), tookMs }
      say(JSON.stringify({ ...said, ...(left !== undefined && { leftMs: Math.round(left) }), done: isDone }))
    } else say(progressLine({ step, what, rows, bytes, total, tookMs, left, isDone }))
  }
  return {
    begin(next, of) {
      step = next
      total = of
      rows = 0
      bytes = 0
      what = ''
      beganMs = clock.nowMs()
      saidMs = 0
    },
    add(done) {
      rows += done.rows
      bytes += done.bytes ?? 0
      what = done.what ?? what
      if (clock.nowMs() - saidMs >= SAY_EVERY_MS) tell(false)
    },
    end() {
      tell(true)
    },
  }
}

type Said = {
  readonly step: MoveStep
  readonly what: string
  readonly rows: number
  readonly bytes: number
  readonly total: Advance | undefined
  readonly tookMs: number
  readonly left: number | undefined
  readonly isDone: boolean
}

const WORDS: Readonly<Record<MoveStep, string>> = {
  log: 'records of the log',
  telemetry: 'rows',
  blobs: 'blobs',
  records: 'rows',
  compare: 'counts',
}

function progressLine({ step, what, rows, bytes, total, tookMs, left, isDone }: Said): string {
  const seconds = Math.max(0.001, tookMs / 1_000)
  const of = total && !isDone ? ` of ${count(total.rows)}` : ''
  const parts = [
    `${step.padEnd(9)}  ${count(rows)}${of} ${WORDS[step]}`,
    ...(bytes > 0 ? [`${megabytes(bytes)} MB`, `${megabytes(bytes / seconds)} MB/s`] : []),
    ...(rows === 0 ? [] : [`${count(Math.round(rows / seconds))}/s`]),
    ...(left === undefined ? [] : [`about ${duration(left)} left`]),
    ...(isDone ? [`done in ${duration(tookMs)}`] : what === '' ? [] : [what]),
  ]
  return parts.join(', ')
}

const count = (value: number): string => value.toLocaleString('en-US')
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

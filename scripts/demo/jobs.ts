/**
 * Scheduled jobs of the API, by their check-ins, for as long as the demo runs: one that fails now and then, one that is well, and one
 * that was stopped after its first run and is missed from then on.
 */
import { randomUUID } from 'node:crypto'
import { sendItems } from './send-items.ts'

const MINUTE_MS = 60_000
const FAILS_EVERY = 4

type Run = { readonly status: 'ok' | 'error'; readonly seconds: number }
type Job = {
  readonly slug: string
  readonly config: object
  /** How its run of that minute ends; undefined: there is none. */
  readonly runOf: (minute: number) => Run | undefined
}

const crontab = (value: string, more: object = {}) => ({
  schedule: { type: 'crontab', value },
  timezone: 'Europe/Berlin',
  checkin_margin: 1,
  max_runtime: 5,
  ...more,
})

const JOBS: readonly Job[] = [
  {
    slug: 'sync-stock',
    config: crontab('* * * * *'),
    runOf: (minute) => ({
      status: minute % FAILS_EVERY === FAILS_EVERY - 1 ? 'error' : 'ok',
      seconds: 4 + ((minute * 7) % 11),
    }),
  },
  {
    slug: 'send-invoices',
    config: { ...crontab(''), schedule: { type: 'interval', value: 2, unit: 'minute' } },
    runOf: (minute) => (minute % 2 === 0 ? { status: 'ok', seconds: 41 + ((minute * 5) % 17) } : undefined),
  },
  {
    slug: 'rebuild-search',
    config: crontab('*/2 * * * *', { failure_issue_threshold: 2 }),
    runOf: (minute) => (minute === 0 ? { status: 'ok', seconds: 73 } : undefined),
  },
]

/** The first runs are at once. What Sonde does not take while it ends is nobody's loss. */
export async function startJobs(dsn: string): Promise<{ stop(): void }> {
  let minute = 0
  const runAll = async (): Promise<void> => {
    const now = minute++
    for (const { slug, config, runOf } of JOBS) {
      const run = runOf(now)
      if (run) await sendItems(dsn, [[{ type: 'check_in' }, checkInOf(slug, config, run)]])
    }
  }
  await runAll()
  const timer = setInterval(() => void runAll().catch(() => undefined), MINUTE_MS)
  return { stop: () => clearInterval(timer) }
}

const checkInOf = (slug: string, config: object, { status, seconds }: Run) => ({
  check_in_id: randomUUID().replaceAll('-', ''),
  monitor_slug: slug,
  status,
  duration: seconds,
  environment: 'production',
  monitor_config: config,
})

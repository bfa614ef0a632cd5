import { Snippet } from '../../../../ui/copy-button.tsx'

export type CheckInDoor = {
  readonly dsn: string
  /** `https://sonde.example.com/api/1/cron/`. */
  readonly base: string
  readonly publicKey: string
}

type Props = CheckInDoor & {
  readonly slug: string
  /** With the schedule, which makes the monitor. */
  readonly isNew: boolean
}

/** The lines of code that send check-ins, with the project's own address. */
export function SendCheckIns({ dsn, base, publicKey, slug, isNew }: Props) {
  const url = `${base}${slug}/${publicKey}/`
  return (
    <>
      <h3 className="cron-code-head">JavaScript and Node.js</h3>
      <Snippet what="code for JavaScript and Node.js" code={javascript(dsn, slug, isNew)} />
      <h3 className="cron-code-head">Python</h3>
      <Snippet what="code for Python" code={python(dsn, slug, isNew)} />
      <h3 className="cron-code-head">curl</h3>
      <Snippet what="commands for curl" code={curl(url, isNew)} />
    </>
  )
}

const javascript = (dsn: string, slug: string, isNew: boolean): string => `Sentry.init({ dsn: '${dsn}' })

await Sentry.withMonitor('${slug}', () => runTheJob()${
  isNew
    ? `, {
  schedule: { type: 'crontab', value: '0 2 * * *' },
  timezone: 'Europe/Berlin',
  maxRuntime: 30,
}`
    : ''
})
await Sentry.flush(5_000)`

const python = (dsn: string, slug: string, isNew: boolean): string => `from sentry_sdk.crons import monitor

sentry_sdk.init(dsn="${dsn}")

@monitor(monitor_slug="${slug}"${
  isNew
    ? `, monitor_config={
    "schedule": {"type": "crontab", "value": "0 2 * * *"},
    "timezone": "Europe/Berlin",
    "max_runtime": 30,
}`
    : ''
})
def run_the_job():
    ...`

const curl = (url: string, isNew: boolean): string =>
  isNew
    ? `curl '${url}' -H 'Content-Type: application/json' \\
  -d '{"status":"ok","monitor_config":{"schedule":{"type":"crontab","value":"0 2 * * *"}}}'`
    : `curl '${url}?status=in_progress'
if run-the-job; then status=ok; else status=error; fi
curl "${url}?status=$status"`

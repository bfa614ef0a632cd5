/**
 * The ten likeliest troubles of an installation, each with what to do next. `name` is that of the doctor's line which says it;
 * docs/operate/doctor.md lists them, and a test holds the page to this list.
 */
import type { PartReport } from './report.ts'

type Trouble = {
  readonly name: string
  readonly what: string
  readonly foundBy: string
  /** A command that shows more or mends it, as it is typed. */
  readonly next: string
}

export const TROUBLES = [
  {
    name: 'sonde',
    what: 'Sonde does not run',
    foundBy: 'nobody answers on the internal socket of SONDE_DATA_DIR',
    next: 'sonde start',
  },
  {
    name: 'port',
    what: 'another program has the port, so Sonde cannot start',
    foundBy: 'Sonde does not run, and HOST:PORT cannot be listened on',
    next: "ss -ltnp | grep ':$PORT '",
  },
  {
    name: 'disk',
    what: 'the disk is nearly full: attachments first, then all data is rejected',
    foundBy: 'free space is below SONDE_MIN_FREE_ATTACHMENTS, SONDE_MIN_FREE, or 2 GB and 5 %',
    next: 'du -xhd1 "$SONDE_DATA_DIR" | sort -h',
  },
  {
    name: 'pipeline',
    what: 'what was received is not stored, and waits in the log',
    foundBy: 'the pipeline repeats the same step; its line has the error',
    next: 'journalctl -u sonde -n 50 || docker logs --tail 50 sonde',
  },
  {
    name: 'records',
    what: 'the file of people, projects and issues is damaged or cannot be read',
    foundBy: 'PRAGMA quick_check of records.sqlite, from outside, also while Sonde runs',
    next: 'sonde backup list; ls -l "$SONDE_DATA_DIR"/backups',
  },
  {
    name: 'dead letters',
    what: 'items were received that could not be processed',
    foundBy: 'rows of dead letters that nobody replayed or discarded',
    next: 'sonde dead list',
  },
  {
    name: 'mail',
    what: 'mail about issues or sign-in does not go out',
    foundBy: 'mails of the last day that failed, and none that was sent after them',
    next: 'curl -v --connect-timeout 5 "$(echo $SONDE_SMTP_URL | sed \'s#//.*@#//#\')"',
  },
  {
    name: 'silence',
    what: 'nothing arrives any more: a wrong DSN, a proxy or a firewall',
    foundBy: 'projects had events before, and none had any data in the last 24 hours',
    next: 'curl -i "$SONDE_PUBLIC_URL/healthz"',
  },
  {
    name: 'dropped',
    what: 'most of what is sent is refused by a rate limit or a quota',
    foundBy: 'half of the items of the last 24 hours, and at least 100, ended as rate_limited',
    next: 'sonde doctor | grep rate_limited',
  },
  {
    name: 'limits',
    what: 'the system gives Sonde too little memory or too few open files',
    foundBy: 'memory of the machine or its cgroup below 1 GB, or fewer than 4,096 open files',
    next: 'cat /proc/$(pgrep -o -f "sonde(.js)? start")/limits /sys/fs/cgroup/memory.max',
  },
] as const satisfies readonly Trouble[]

/** A line that is not well ends with the next command. */
export const withNext = (parts: readonly PartReport[]): readonly PartReport[] =>
  parts.map((part) => {
    const trouble = TROUBLES.find(({ name }) => name === part.name)
    if (trouble === undefined || part.state === 'ok') return part
    const detail = /[.!?]$/.test(part.detail) ? part.detail : `${part.detail}.`
    return { ...part, detail: `${detail} Next: ${trouble.next}` }
  })

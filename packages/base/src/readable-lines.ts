/** Log lines for a person at a terminal. What pino wrote is taken apart again: nobody's terminal is that busy. */
import { Writable } from 'node:stream'
import { pino } from 'pino'

type Line = {
  readonly level: number
  readonly time: string
  readonly role?: string
  readonly msg?: string
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string }
}

export function readableLines(write: (text: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(line: string | Buffer, _encoding, done) {
      write(readable(String(line)))
      done()
    },
  })
}

export function readable(json: string): string {
  const { level, time, role, msg, err, ...fields } = JSON.parse(json) as Line
  const name = (pino.levels.labels[level] ?? String(level)).toUpperCase().padEnd(5)
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${plain(value)}`)
  const head = [time, name, role, plainLine(msg ?? ''), ...rest].filter(
    (word) => word !== undefined && word !== '',
  )
  const stack =
    err && `\n${(err.stack ?? `${err.type}: ${err.message}`).split('\n').map(plainLine).join('\n')}`
  return `${head.join(' ')}${stack ?? ''}\n`
}

const plain = (value: unknown): string => plainLine(typeof value === 'string' ? value : JSON.stringify(value))

/** A terminal obeys control characters, and some of a line may be a stranger's. */
const plainLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?')

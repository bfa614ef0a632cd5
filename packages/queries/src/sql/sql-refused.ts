import { SondeError } from '@sonde/base'
import { CONSOLE_ENDED, CONSOLE_LIMITS, CONSOLE_TOOK_TOO_LONG, type ConsoleError } from '@sonde/stores'

/** What a person is told when the engine gives a statement up: its words without our inside, and where in the text. */
const NARROW = 'Narrow by timestamp and project_id, or read fewer columns.'
const TOO_LONG = [`it took longer than ${CONSOLE_LIMITS.seconds} seconds`, NARROW] as const

// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
const LIMITS: Readonly<Record<number, readonly [message: string, hint: string]>> = {
  158: [`it would read more than ${CONSOLE_LIMITS.rowsToRead.toLocaleString('en')} rows`, NARROW],
  159: TOO_LONG,
  [CONSOLE_TOOK_TOO_LONG]: TOO_LONG,
  [CONSOLE_ENDED]: ['the engine of the console ended before it answered', 'Try it again, or a part of it.'],
  160: [`it would take longer than ${CONSOLE_LIMITS.seconds} seconds`, NARROW],
  164: ['only reading is offered', 'Settings cannot be changed.'],
  241: ['it needs more memory than a statement may have', `${NARROW} Fewer groups help too.`],
  243: ['there is no room for what it would have to sort', NARROW],
  307: ['it would read too much', NARROW],
  396: ['its result is too large', 'Add a LIMIT, or cut long texts with substring(…, 1, 200).'],
}
const SYNTAX = 62

/** `text` is what the person wrote. */
export function refusalOf({ code, message }: ConsoleError, text: string): SqlRefused {
  const limit = LIMITS[code]
  if (limit) return new SqlRefused(limit[0], { hint: limit[1] })
  if (code === SYNTAX) return syntaxRefusal(message, text)
  const words = cleaned(message)
  const named = /[`'‘]([^`'’]{1,100})[`'’]/.exec(words)?.[1]
  const at = named === undefined ? -1 : text.indexOf(named)
  return new SqlRefused(words, at === -1 ? {} : { at })
}

function syntaxRefusal(message: string, text: string): SqlRefused {
  if (/Multi-statements/.test(message))
    return new SqlRefused('one statement at a time', placeOf(message, text))
  const [, expected = ''] =
    /Expected one of: ([^:]*)/.exec(message) ?? /Expected ([^:.]*)/.exec(message) ?? []
  const few = expected.split(', ').slice(0, 6).join(', ')
  const hint = few === '' ? {} : { hint: `Expected here, among others: ${few}.` }
  return new SqlRefused('this is not understood', { ...placeOf(message, text), ...hint })
}

/** The engine counts bytes, from 1. */
function placeOf(message: string, text: string): { readonly at?: number } {
  const byte = Number(/failed at position (\d+)/.exec(message)?.[1])
  if (!Number.isInteger(byte)) return {}
  return {
    at: Buffer.from(text)
      .subarray(0, byte - 1)
      .toString().length,
  }
}

/** Up to where it begins to tell what it was doing; without names that only we know. */
function cleaned(message: string): string {
  const reported = message
    .replace(/:? ?(?:in scope |while executing|While executing|while processing|While processing)[^]*$/i, '')
    .replace(/__table\d+\./g, '')
    .replace(/`?\bconsole_\w+`?\./g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500)
  return reported === '' || /\bdefault\.|project_id IN|PREWHERE/.test(reported)
    ? 'it could not be run'
    : reported
}

/**
 * A statement that the console does not run, or that the engine gave up. `message` and `hint` are for the person who
 * wrote it and hold nothing of the inside; `at` is a position in their text, in UTF-16 units.
 */
export class SqlRefused extends SondeError {
  readonly at: number | undefined

  constructor(message: string, { at, hint }: { readonly at?: number; readonly hint?: string } = {}) {
    super('invalid', message, {
      operation: 'run a statement of the console',
      subject: 'sql',
      ...(hint === undefined ? {} : { hint }),
    })
    this.name = 'SqlRefused'
    this.at = at
  }
}

/** One line of a log, whatever shape it came in, and the words for how bad it is. */

export type Log = {
  /** 32 lower hex; empty: it belongs to no trace. */
  readonly traceId: string
  /** 16 lower hex, or empty. */
  readonly spanId: string
  /** Unix milliseconds with a fraction. */
  readonly timestampMs: number
  /** Order among lines of one time, where the SDK counts. */
  readonly sequence: number
  readonly severity: string
  /** 1 to 24; 0: unknown. */
  readonly severityNumber: number
  readonly body: string
  /** Booleans are `true` and `false`, lists and objects JSON text. */
  readonly attributes: Readonly<Record<string, string | number>>
}

/** Each stands for four numbers: https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-severitynumber */
const WORDS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const STEPS = 4

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['verbose', 'trace'],
  ['log', 'info'],
  ['information', 'info'],
  ['informational', 'info'],
  ['notice', 'info'],
  ['warning', 'warn'],
  ['err', 'error'],
  ['severe', 'error'],
  ['critical', 'fatal'],
  ['crit', 'fatal'],
  ['alert', 'fatal'],
  ['emergency', 'fatal'],
  ['emerg', 'fatal'],
  ['panic', 'fatal'],
])
const MAX_WORD = 32

/** A word of the six from the number or the word that was sent; another word stays as it is. */
export function severityOf(number: number, word: string): Pick<Log, 'severity' | 'severityNumber'> {
  const severityNumber =
    Number.isInteger(number) && number >= 1 && number <= WORDS.length * STEPS ? number : 0
  const given = word.trim().toLowerCase().slice(0, MAX_WORD)
  const meant = ALIASES.get(given) ?? given
  const at = WORDS.findIndex((each) => each === meant)
  if (at >= 0) return { severity: meant, severityNumber: severityNumber || at * STEPS + 1 }
  const byNumber = WORDS[Math.ceil(severityNumber / STEPS) - 1]
  return { severity: byNumber ?? (meant || 'info'), severityNumber }
}

/** A place in a script as a screen says it. Made on the server: the page carries only the words that it shows. */
import type { SourcePlace, Unreadable } from '@sonde/queries'
import { REASONS } from '../event/doctor/frame-reasons.ts'

export type ScriptText = {
  /** `src/cart/recalc.ts:88`; empty: it is known by what the browser told only. */
  readonly place: string
  /** What the function is called in the source; empty: it has no name, or nobody knows. */
  readonly functionName: string
  /** The line of the source; empty: nobody uploaded it. */
  readonly code: string
  /** What the browser told, the narrowest first: function, address of the script, what called it. */
  readonly reported: readonly string[]
  readonly unreadable: UnreadableText | undefined
}
export type UnreadableText = {
  /** `no map uploaded` */
  readonly short: string
  /** A whole sentence, with the release. */
  readonly sentence: string
}

type Reported = {
  readonly source: string
  readonly functionName: string
  readonly invoker?: string
  readonly place: SourcePlace | undefined
  readonly unreadable: Unreadable | undefined
}

// More is read in the source, not in a table.
const MAX_CODE = 160

export function scriptText({ source, functionName, invoker = '', place, unreadable }: Reported): ScriptText {
  const reported = [functionName === '' ? '' : `${functionName}()`, source, invoker]
  return {
    place: place === undefined ? '' : placeText(place),
    functionName: place?.functionName ?? '',
    code: place?.contextLine?.trim().slice(0, MAX_CODE) ?? '',
    reported: reported.filter((text) => text !== ''),
    unreadable: unreadable && unreadableText(unreadable),
  }
}

export const placeText = ({ source, line }: SourcePlace): string => `${source}:${line}`

export function unreadableText({ problem, detail, release }: Unreadable): UnreadableText {
  const { short, sentence } = REASONS[problem]
  const about = [release === '' ? '' : `release ${release}`, detail ?? ''].filter((text) => text !== '')
  const whole = sentence[0]!.toUpperCase() + sentence.slice(1)
  return { short, sentence: about.length === 0 ? `${whole}.` : `${whole} (${about.join('; ')}).` }
}

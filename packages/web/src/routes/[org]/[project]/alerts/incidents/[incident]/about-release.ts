/** The release that an incident is of, as it was judged then: its cause says it. Pure. */
import type { ReleaseVerdict } from '@sonde/queries'

export type AboutRelease = {
  readonly kind: 'release'
  readonly verdict: ReleaseVerdict
  readonly release: string
  readonly before: string | undefined
  readonly sentence: string
  readonly measures: readonly string[]
  readonly absent: readonly string[]
}

const VERDICTS: readonly ReleaseVerdict[] = ['worse', 'better', 'same', 'not_enough_data']

/** Undefined: the cause is another one. */
export function aboutRelease(cause: Readonly<Record<string, unknown>>): AboutRelease | undefined {
  const { kind, verdict, release, before, sentence } = cause
  const known = VERDICTS.find((each) => each === verdict)
  if (kind !== 'release' || known === undefined || typeof release !== 'string') return undefined
  return {
    kind,
    verdict: known,
    release,
    before: typeof before === 'string' ? before : undefined,
    sentence: typeof sentence === 'string' ? sentence : '',
    measures: texts(cause['measures']),
    absent: texts(cause['absent']),
  }
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

/** The verdict of a release as screens show it: sentences are made on the server, the browser shows them. Pure. */
import type { JudgedMeasure, JudgedRelease, ReleaseMeasure, ReleaseVerdict } from '@sonde/queries'
import { absentSentences, measureSentence, nextNeeded, verdictSentence } from '@sonde/queries/contract'

export type ShownMeasure = {
  readonly name: ReleaseMeasure
  readonly verdict: ReleaseVerdict
  readonly text: string
}
export type VerdictView = {
  readonly verdict: ReleaseVerdict
  readonly release: string
  readonly before: string | undefined
  readonly sentence: string
  /** What is wrong first. */
  readonly measures: readonly ShownMeasure[]
  /** What the data cannot show, and why. */
  readonly absent: readonly string[]
  /** Of a release of which nothing can be said yet: what is needed next. */
  readonly next: string | undefined
}

const ORDER: readonly ReleaseVerdict[] = ['worse', 'better', 'same', 'not_enough_data']

export function verdictView(judged: JudgedRelease): VerdictView {
  const { verdict, release, before, measures, absent } = judged
  return {
    verdict,
    release,
    before,
    sentence: verdictSentence(judged),
    measures: measures.toSorted(byVerdict).map((measure) => ({
      name: measure.name,
      verdict: measure.verdict,
      text: measureSentence(measure),
    })),
    absent: before === undefined ? [] : absentSentences(absent),
    next: verdict === 'not_enough_data' ? nextNeeded(measures) : undefined,
  }
}

const byVerdict = (a: JudgedMeasure, b: JudgedMeasure): number =>
  ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict)

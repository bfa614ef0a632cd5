/** What a section of the overview is, and in which order they stand. Pure. */

/** `bad`: somebody has to do something; `attention`: something is to be set up or looked at. */
export type Tone = 'bad' | 'attention' | 'good' | 'plain'

export type Sentence = {
  readonly tone: Tone
  readonly text: string
  /** Of an error: where in the code. */
  readonly code?: string
  readonly atMs?: number
  readonly link?: { readonly to: string; readonly name: string }
}
export type OverviewSection = {
  readonly id: 'release' | 'errors' | 'navigations' | 'stale-tabs' | 'vitals' | 'alerts' | 'unknown'
  readonly title: string
  /** The worst of its sentences. */
  readonly tone: Tone
  readonly sentences: readonly Sentence[]
}
export type Place = { readonly org: string; readonly project: string }

const TONES: readonly Tone[] = ['bad', 'attention', 'good', 'plain']

export const worstTone = (sentences: readonly Pick<Sentence, 'tone'>[]): Tone =>
  TONES.find((tone) => sentences.some((sentence) => sentence.tone === tone)) ?? 'plain'

/** The release says what the others are about; what nobody can know stands last. */
export const sortedSections = (sections: readonly OverviewSection[]): readonly OverviewSection[] =>
  sections.toSorted((a, b) => rank(a) - rank(b))

function rank({ id, tone }: OverviewSection): number {
  if (id === 'release') return -1
  return id === 'unknown' ? TONES.length : Math.min(TONES.indexOf(tone), TONES.indexOf('good'))
}

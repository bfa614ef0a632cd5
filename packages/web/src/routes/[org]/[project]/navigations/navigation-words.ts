/** What the recorder's words mean to a reader. The words themselves: packages/protocol/src/navigation.ts. */
import type {
  NavigationOutcome,
  NavigationPhase,
  NavigationTrigger,
  PrefetchState,
} from '@sonde/protocol/navigation'

type Words = { readonly name: string; readonly about: string }

/** In the order in which they follow each other. */
export const PHASE_WORDS: { readonly [Phase in NavigationPhase]: Words } = {
  intent: { name: 'Input', about: 'From the press to the router: the main thread was busy' },
  match: { name: 'Match', about: 'From the router’s start to the first load' },
  data: { name: 'Data', about: 'Waiting for page data, where that took longer than the code' },
  chunk: { name: 'Code', about: 'Waiting for code and styles, where that took longer than the data' },
  commit: { name: 'Render', about: 'From everything loaded to the new page in the document' },
  paint: { name: 'Paint', about: 'From the document to the picture on the screen' },
  settled: { name: 'Settling', about: 'After the picture: until the requests it began are answered' },
}

export const OUTCOME_WORDS: { readonly [Outcome in NavigationOutcome]: string } = {
  committed: 'shown',
  redirected: 'redirected',
  superseded: 'replaced by another press',
  aborted: 'given up',
  errored: 'ended on an error page',
  timed_out: 'never ended',
  full_load: 'fell back to a full page load',
  left: 'left while waiting',
  pending: 'still waiting when last heard of',
}

/** Ends that a person suffered. */
export const TROUBLES = [
  'errored',
  'timed_out',
  'pending',
  'left',
  'full_load',
] as const satisfies NavigationOutcome[]

export const TRIGGER_WORDS: { readonly [Trigger in NavigationTrigger]: string } = {
  click: 'A link or button',
  submit: 'A form',
  back: 'Back',
  forward: 'Forward',
  redirect: 'A redirect',
  programmatic: 'Code, without a press',
}

export const PREFETCH_WORDS: { readonly [State in PrefetchState]: Words } = {
  used: { name: 'There in time', about: 'Fetched ahead and complete when the navigation began' },
  late: { name: 'Late', about: 'Under way when the navigation began, which waited for the rest' },
  stale: { name: 'Too old', about: 'Fetched ahead, but older than its stale time: fetched again' },
  wasted: { name: 'Never needed', about: 'Fetched ahead for nobody' },
  none: { name: 'Not fetched ahead', about: 'Nothing was fetched ahead for it' },
}

/** Undefined for a word that is none of ours. */
export const wordOf = <Text>(words: Readonly<Record<string, Text>>, key: string): Text | undefined =>
  Object.hasOwn(words, key) ? words[key] : undefined

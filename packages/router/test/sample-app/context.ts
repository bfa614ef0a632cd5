/** What the tests hand to every load: gates that they open, and a log of what ran. */
export type SampleContext = {
  /** Resolves when the test opens the gate of that name; at once when it has none. */
  readonly gate: (name: string) => Promise<void>
  readonly elsewhere: string
  readonly cookie: string
  readonly posted: string[]
}

/** How sections are indexed at the build and searched in the browser: both must say the same. */
import type { Options } from 'minisearch'

export type Section = {
  /** Address below the base: `operate/backup#restore`. */
  readonly id: string
  readonly title: string
  /** Empty for what stands before the first one. */
  readonly heading: string
  readonly text: string
  readonly excerpt: string
  /** Of the groups that are for those who work on Sonde: shown after the others. */
  readonly isFolded: boolean
}

export const SETTINGS: Options<Section> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'excerpt', 'isFolded'],
  // `SONDE_DATA_DIR` is found by `data`, `is:unresolved` by both of its words.
  tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u),
  searchOptions: {
    boost: { title: 3, heading: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    boostDocument: (_id, _term, stored) => (stored?.['isFolded'] === true ? 0.4 : 1),
  },
}

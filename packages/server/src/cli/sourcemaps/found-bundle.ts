/** A script with its map, wherever they were found: in a folder or on a page. */

export type FoundBundle = {
  /** Path below the folder, or address. */
  readonly name: string
  readonly code: string
  readonly map: FoundMap
  /** Text of a source that the map names without bringing it; undefined: it is not there. */
  readonly sourceText?: (path: string) => string | undefined
}

export type FoundMap =
  | {
      readonly kind: 'found'
      /** As people find it again: `app.js.map`, `inline`, an address. */
      readonly place: string
      readonly bytes: Uint8Array
    }
  /** It is named, or expected, and is not there. */
  | { readonly kind: 'missing'; readonly place: string; readonly detail: string }
  /** On a page: nobody may read it from outside, as it should be; nothing more can be said here. */
  | { readonly kind: 'hidden' }
  /** Nothing says that there is one. */
  | { readonly kind: 'none' }

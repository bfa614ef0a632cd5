/** A try of scrubbing rules, as it travels to the page. */
export type ShownPreview =
  | {
      readonly ok: true
      readonly removed: readonly { readonly path: string; readonly rule: string }[]
      /** The JSON that would be stored, in lines. */
      readonly afterText: string
    }
  | { readonly ok: false; readonly message: string }

/** Tags that say who it was, or an address with its query: a language model is not told them. By the tag's key. */
export const isPersonalTag = (key: string): boolean => /^user(?:\.|$)|^url$|e-?mail|\bip\b/i.test(key)

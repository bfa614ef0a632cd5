/** The content hash that bundlers put into file names: `index-BxK3p_9d.js`, `main.3f2a9c1b.chunk.js`, `4f3a9b21.js`. */

/** What stands between a file's stem and its end: `.chunk.js`, `.min.js`, `.mjs`. */
export const EXTENSION = /(?:[.-](?:min|chunk|bundle|esm|cjs|es|umd))*\.\w+$/

/** `index-BxK3p_9d.js` → `index.js`; what is nothing but a hash → the extension alone. */
export function withoutAssetHash(name: string): string {
  const end = name.search(EXTENSION)
  if (end < 0) return name
  const stem = name.slice(0, end)
  const length = hashLength(stem)
  return length === 0 ? name : stem.slice(0, stem.length - length).replace(/[.~_-]+$/, '') + name.slice(end)
}

export function hasAssetHash(name: string): boolean {
  const end = name.search(EXTENSION)
  return end >= 0 && hashLength(name.slice(0, end)) > 0
}

/** How many characters at the end of a stem are a hash. */
function hashLength(stem: string): number {
  // webpack, Turbopack, Nuxt: hexadecimal. A word of these letters without a digit does not happen by chance.
  const hex = /(?:^|[.~_-])([0-9a-f]{6,64}|[0-9A-F]{6,64})$/.exec(stem)?.[1]
  if (hex !== undefined && /\d/.test(hex) && !/^\d{6,7}$/.test(hex)) return hex.length
  // Vite, Rollup, esbuild: eight characters of base64url or base32, which may hold `-` and `_` themselves.
  const eight = /(?:^|[.~-])([\w-]{8})$/.exec(stem)?.[1]
  if (eight !== undefined && looksRandom(eight)) return eight.length
  const long = /(?:^|[.~-])([A-Za-z0-9]{9,32})$/.exec(stem)?.[1]
  return long !== undefined && /\d/.test(long) && /[a-z]/.test(long) && /[A-Z]/.test(long) ? long.length : 0
}

/** `BxK3p_9d`, `DkTvxQah`, `ABCDEF12`, but not `settings`, `UserForm`, `OAuthBox`, `vendor42`, `user_row`. */
function looksRandom(text: string): boolean {
  if (!/[A-Z]/.test(text)) return /^[a-z0-9]+$/.test(text) && /\d[a-z]+\d|\d[a-z]*\d?[a-z]+\d/.test(text)
  if (/[\d_-]/.test(text)) return !/^(?:[A-Z]?[a-z]{2,})+[_-]?\d{1,3}$/.test(text)
  return !/^(?:[A-Z]*[a-z]{2,})+$/.test(text) && !/^[A-Z]+$/.test(text)
}

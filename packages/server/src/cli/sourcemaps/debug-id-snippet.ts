/**
 * The line that makes a running script tell its debug id: stock SDKs read `_sentryDebugIds`, by the stack of an error made
 * in that very file. https://github.com/getsentry/sentry-javascript/blob/10.0.0/packages/core/src/utils/debug-ids.ts
 */
export const debugIdSnippet = (debugId: string): string =>
  `!function(){try{var e=typeof globalThis<"u"?globalThis:typeof self<"u"?self:window,n=(new e.Error).stack;` +
  `n&&(e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="${debugId}",` +
  `e._sentryDebugIdIdentifier="sentry-dbid-${debugId}")}catch(e){}}();`

export type SnippetPlace = {
  /** Where in the code the line goes: after `#!…`, else at the beginning. */
  readonly at: number
  /** Generated line that it becomes; what was there moves one down. Counts from 0. */
  readonly line: number
  /** `"use strict";` and the like count only at the beginning, so they are said again before the snippet. */
  readonly directives: string
}

const HASHBANG = /^#![^\n]*\n/
const SPACE = /(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/y
const DIRECTIVE = /(?:"[^"\\\n]*"|'[^'\\\n]*')(?=[ \t]*(?:;|\r?\n|$))[ \t]*;?/y

export function snippetPlace(code: string): SnippetPlace {
  const at = HASHBANG.exec(code)?.[0].length ?? 0
  let directives = ''
  for (let from = at; ;) {
    SPACE.lastIndex = from
    from += SPACE.exec(code)?.[0].length ?? 0
    DIRECTIVE.lastIndex = from
    const found = DIRECTIVE.exec(code)?.[0]
    if (found === undefined) break
    directives += `${found.replace(/\s*;?$/, '')};`
    from += found.length
  }
  return { at, line: at === 0 ? 0 : 1, directives }
}

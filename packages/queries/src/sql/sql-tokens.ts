/**
 * Words of a statement as the engine itself wrote it again (`formatQuerySingleLine`): no comments are left, texts stand in
 * single quotes, odd names in backquotes, both with backslashes. What a person typed is never read by this.
 */
export type SqlToken = {
  readonly kind: 'text' | 'name' | 'word' | 'sign' | 'space'
  /** As it stands there. */
  readonly raw: string
  /** Of a name without its quotes; else `raw`. */
  readonly value: string
}

const TOKEN = /\s+|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_.]*|[^\s'`]/gsuy

/** Undefined for anything that is not of this form, so that the statement is refused. */
export function sqlTokens(sql: string): readonly SqlToken[] | undefined {
  const tokens: SqlToken[] = []
  let at = 0
  for (const [raw] of sql.matchAll(TOKEN)) {
    at += raw.length
    tokens.push(tokenOf(raw))
  }
  return at === sql.length ? tokens : undefined
}

function tokenOf(raw: string): SqlToken {
  if (raw.trim() === '') return { kind: 'space', raw, value: raw }
  if (raw.startsWith("'")) return { kind: 'text', raw, value: raw }
  if (raw.startsWith('`')) return { kind: 'name', raw, value: raw.slice(1, -1) }
  return { kind: /^[A-Za-z_]/.test(raw) ? 'word' : 'sign', raw, value: raw }
}

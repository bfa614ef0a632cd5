/**
 * The first wall: words that no statement of the console has, wherever they stand. It sees what the tree of the engine
 * does not print (the function of `APPLY`, clauses behind the query), and it knows nothing of grammar, so that nothing
 * has to be understood for it to hold.
 */
import { isOfferedFunction } from './offered-functions.ts'
import { SqlRefused } from './sql-refused.ts'

/**
 * Words of a statement as the engine itself wrote it again (`formatQuerySingleLine`): no comments are left, texts stand in
 * single quotes, odd names in backquotes, both with backslashes. What a person typed is never read by this.
 */
type SqlToken = {
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

/** Databases of the engine and ours. A table is named alone, so none of them is ever needed. */
const DATABASES =
  /^(?:system|default|information_schema|_table_function|_temporary_and_external_tables|console_.*)$/i

/** Words, as the engine writes its clauses, and what a person would do instead. */
const CLAUSES: ReadonlyMap<string, string> = new Map([
  ['OUTFILE', 'Take the result as a file with the buttons below it.'],
  ['INFILE', ''],
  ['FORMAT', 'Take the result as CSV or JSON with the buttons below it.'],
  ['SETTINGS', 'The limits are the same for everybody.'],
  ['APPLY', 'Write the function around each column.'],
  ['PREWHERE', 'WHERE says the same.'],
  ['PARALLEL', ''],
  ['GLOBAL', 'There is one server: leave it out.'],
  ['STREAM', ''],
  ['RECURSIVE', ''],
])

/** Words of the grammar before which a bracket is no call. */
const NO_CALLS: ReadonlySet<string> = new Set(
  `ALL AND ANTI ANY ARRAY AS ASC ASOF BETWEEN BY COLUMNS CROSS CUBE DESC DISTINCT ELSE EXCEPT FILL FROM FULL GROUP
    HAVING ILIKE IN INNER INTERPOLATE INTERSECT IS JOIN LEFT LIKE LIMIT NOT NULL OFFSET ON OR ORDER OUTER OVER
    PARTITION QUALIFY REPLACE RIGHT ROLLUP SAMPLE SELECT SEMI SETS STEP THEN TIES TO TOTALS UNION USING
    WHEN WHERE WINDOW WITH`.split(/\s+/),
)

/** Throws `SqlRefused`. */
export function checkTokens(all: readonly SqlToken[]): void {
  const tokens = all.filter(({ kind }) => kind !== 'space')
  const [first] = tokens
  if (first?.kind !== 'word' || !/^(?:SELECT|WITH)$/.test(first.raw))
    throw new SqlRefused('only a SELECT can be run', { hint: 'It may begin with WITH.' })
  for (const [index, token] of tokens.entries()) checkToken(token, tokens[index + 1])
}

function checkToken({ kind, raw, value }: SqlToken, next: SqlToken | undefined): void {
  if (kind === 'text') return
  if (raw === ';') throw new SqlRefused('one statement at a time')
  if (raw === '{')
    throw new SqlRefused('parameters in braces are not offered', { hint: 'Write the value itself.' })
  if (kind === 'sign') return
  if (DATABASES.test(value) || (kind === 'name' && /[.{}\\]/.test(value)))
    throw new SqlRefused(`the name "${value}" is not offered`, {
      hint: 'Tables are named alone, without a database.',
    })
  const clause = kind === 'word' ? CLAUSES.get(raw) : undefined
  if (clause !== undefined)
    throw new SqlRefused(`${raw} is not offered`, clause === '' ? {} : { hint: clause })
  if (next?.raw !== '(' || (kind === 'word' && NO_CALLS.has(raw))) return
  if (!isOfferedFunction(value)) throw notOffered(value)
}

export const notOffered = (name: string): SqlRefused =>
  new SqlRefused(`the function "${name}" is not offered`, {
    hint: 'Offered are those that compute from their arguments alone.',
  })

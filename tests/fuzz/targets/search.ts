/** What people and links put into search fields: it becomes conditions with bound values, or a refusal that says where. */
import assert from 'node:assert/strict'
import { SondeError } from '@sonde/base'
import { formatCursor, parseCursor } from '../../../packages/queries/src/cursor.ts'
import { createBind } from '../../../packages/queries/src/explore/bounded-query.ts'
import { isMeasure, readMeasure } from '../../../packages/queries/src/explore/span-measures.ts'
import { eventSearch } from '../../../packages/queries/src/search/event-search.ts'
import { parseSearch } from '../../../packages/queries/src/search/parse-search.ts'
import { splitSearch } from '../../../packages/queries/src/search/search-fields.ts'
import { timeBound } from '../../../packages/queries/src/search/search-term.ts'
import { termAtCursor } from '../../../packages/queries/src/search/term-at-cursor.ts'
import { messageWords, overlap } from '../../../packages/queries/src/similar/likeness.ts'
import { checkTokens, sqlTokens } from '../../../packages/queries/src/sql/check-tokens.ts'
import { bindParameters } from '../../../packages/stores/src/telemetry/bind-parameters.ts'
import type { Target } from '../engine/target.ts'
import { fixture } from './fixtures.ts'

const NOW_MS = Date.UTC(2026, 10, 22)

export const search: Target = {
  name: 'search',
  seeds: () => [
    ...(JSON.parse(fixture('sentry-search-syntax/queries.json').toString()) as string[]).map((text) =>
      Buffer.from(text),
    ),
    Buffer.from(
      'is:unresolved !level:[error, "fa\\"tal"] timesSeen:>=100 firstSeen:-24h has:user tags[a b]:x*y "free text"',
    ),
    Buffer.from('p95(span.duration)'),
    Buffer.from('0:100:0'),
    Buffer.from("SELECT count(), uniq(user_id) FROM events WHERE message LIKE '%a\\'b%' GROUP BY `level`"),
  ],
  words: [
    'is:',
    'has:',
    '!',
    ':>',
    ':<=',
    '[',
    ']',
    ',',
    '"',
    '\\',
    '*',
    'tags[',
    'firstSeen:',
    '-24h',
    'AND ',
    'OR ',
    '+1d',
    'timesSeen:',
  ],
  maxBytes: 8 * 1024,
  open: () => ({ run }),
}

function run(input: Buffer): void {
  const text = input.toString('utf8')
  const terms = unlessRefused(() => parseSearch(text))
  if (terms) {
    splitSearch(terms)
    for (const term of terms) {
      assert.ok(term.at >= 0 && term.at < text.length)
      if (term.kind !== 'filter') continue
      const bound = unlessRefused(() => timeBound(term, NOW_MS))
      assert.ok(bound === undefined || Number.isSafeInteger(bound.ms), `${bound?.ms} is no time`)
    }
    const condition = unlessRefused(() => eventSearch({ query: text }))
    // Every value is bound: what was typed stands nowhere but within quotes of the engine.
    if (condition) bindParameters(condition.sql, condition.params)
  }
  for (const cursor of [0, 1, text.length >> 1, text.length]) {
    const found = termAtCursor(text, cursor)
    assert.ok(found.from >= 0 && found.from <= found.to && found.to <= text.length)
  }
  const { bind, params } = createBind('f')
  if (isMeasure(text)) {
    const measure = unlessRefused(() => readMeasure(text, 60, bind))
    if (measure) bindParameters(measure.sql, params)
  }
  const at = parseCursor(text)
  if (at) assert.deepEqual(parseCursor(formatCursor(at)), at)
  const tokens = sqlTokens(text)
  if (tokens) {
    assert.equal(tokens.map(({ raw }) => raw).join(''), text)
    unlessRefused(() => checkTokens(tokens))
  }
  overlap(messageWords(text), messageWords(text.toUpperCase()))
}

/** A refusal in our own words is no find; what is not the asker's fault is one. */
function unlessRefused<T>(job: () => T): T | undefined {
  try {
    return job()
  } catch (error) {
    if (error instanceof SondeError && error.kind === 'invalid') return undefined
    throw error
  }
}

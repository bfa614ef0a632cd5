/** docs/reference/search.md: every example is read as the list of issues reads it, and every field is there. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseSearch } from '@sonde/queries'
import { eventConditions } from '../src/search/event-search.ts'
import { eventColumnOf, issueFieldOf, splitSearch } from '../src/search/search-fields.ts'
import { checkIssueSearch } from '../src/search/search-problem.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/reference/search.md'), 'utf8')
const FIELDS = readFileSync(join(import.meta.dirname, '../src/search/search-fields.ts'), 'utf8')

/** As somebody who is signed in would: `me` is a person. */
const ASKING = {
  deps: { clock: { nowMs: () => Date.UTC(2026, 10, 28) } } as Parameters<typeof checkIssueSearch>[0],
  grant: { viewer: { kind: 'user', userId: 'ada' } } as unknown as Parameters<typeof checkIssueSearch>[1],
}

/** Rows of the tables whose head has this word first. */
function rows(head: string): string[][] {
  return PAGE.split('\n\n')
    .filter((block) => block.startsWith(`| ${head} `))
    .flatMap((block) => block.split('\n').slice(2))
    .map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
}
const codes = (text = ''): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

test('every example is a search that the list of issues takes', () => {
  const examples = [
    ...rows('search').flatMap(([search]) => codes(search)),
    ...rows('field').flatMap(([, example]) => codes(example)),
    ...[...PAGE.matchAll(/^- .*?: `([^`]+)`$/gm)].map(([, code = '']) => code),
  ]
  assert.ok(examples.length > 50)
  for (const example of examples) {
    assert.ok(parseSearch(example).length > 0, example)
    assert.doesNotThrow(() => checkIssueSearch(ASKING.deps, ASKING.grant, example), example)
  }
  for (const refused of ['is:open', 'level:error OR level:fatal', 'firstSeen:yesterday'])
    assert.throws(() => checkIssueSearch(ASKING.deps, ASKING.grant, refused), refused)
})

test('every field is on the page, and the page has no other', () => {
  const named = rows('field').flatMap(([names]) => codes(names))
  for (const name of named) {
    const key = { name, isTag: false }
    assert.ok(issueFieldOf(key) ?? eventColumnOf(key), `${name} is a tag to the search`)
  }
  const known = [...FIELDS.matchAll(/^ {2}\[\s*'([\w.-]+)',/gm)].map(([, name = '']) => name)
  assert.ok(known.length > 50)
  assert.deepEqual(
    known.filter((name) => !named.includes(name)),
    [],
  )
})

test('the states that the page names are those that the search takes', () => {
  const states = codes(/^`is:` takes [^.]+\./ms.exec(PAGE)?.[0]).slice(1)
  assert.ok(states.length > 10)
  for (const state of states)
    assert.doesNotThrow(() => checkIssueSearch(ASKING.deps, ASKING.grant, `is:${state}`), state)
})

test('fields of an event are looked for in events', () => {
  const { issue, event } = splitSearch(parseSearch('is:unresolved user.email:*@example.com'))
  assert.deepEqual([issue.length, event.length], [1, 1])
  assert.doesNotThrow(() => eventConditions(event))
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MCP_SCOPES, SCOPES } from '@sonde/access'
import { TOOLS } from '@sonde/mcp'
import { mayUse } from '../src/tool.ts'

const DOCS = readFileSync(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8')

test('the table of the documentation has every tool with its permission, and no other', () => {
  const rows = [...DOCS.matchAll(/^\| `([a-z_]+)` \| [^|]+ \| `([a-z:]+)` \|$/gm)].map(
    ([, name, scope]) => `${name} ${scope}`,
  )
  assert.deepEqual(
    rows,
    TOOLS.map(({ name, permission }) => `${name} ${permission}`),
  )
})

test('names and words are what clients take', () => {
  assert.equal(new Set(TOOLS.map(({ name }) => name)).size, TOOLS.length)
  for (const { name, title, description } of TOOLS) {
    assert.match(name, /^[a-z]+(?:_[a-z]+)*$/)
    assert.ok(title.length > 5 && title.length < 60, title)
    assert.ok(description.length > 60 && description.length < 6_000, name)
  }
})

test('a token uses what its scopes include', () => {
  const of = (scope: (typeof SCOPES)[number]) =>
    TOOLS.filter((tool) =>
      mayUse(
        { kind: 'token', tokenId: 1, tokenName: '', orgId: 1, userId: undefined, scopes: [scope] },
        tool,
      ),
    ).map(({ name }) => name)
  assert.deepEqual(of('org:ci'), ['list_projects'])
  assert.deepEqual(of('member:read'), [])
  const reading = of('event:read')
  assert.ok(
    reading.includes('get_event') && !reading.includes('update_issue') && !reading.includes('list_projects'),
  )
  assert.deepEqual(
    of('event:write').filter((name) => !reading.includes(name)),
    ['update_issue', 'add_comment'],
  )
  // What clients are told to ask for opens all of them, and nothing in it is left over.
  const all = {
    kind: 'token',
    tokenId: 1,
    tokenName: '',
    orgId: 1,
    userId: undefined,
    scopes: MCP_SCOPES,
  } as const
  assert.deepEqual(
    TOOLS.filter((tool) => !mayUse(all, tool)),
    [],
  )
})

test('only what changes something says so', () => {
  assert.deepEqual(
    TOOLS.filter(({ changes }) => changes !== undefined).map(({ name, permission }) => [name, permission]),
    [
      ['update_issue', 'event:write'],
      ['add_comment', 'event:write'],
    ],
  )
})

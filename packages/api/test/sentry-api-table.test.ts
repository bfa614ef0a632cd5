import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ApiOptions, createApi } from '@sonde/api'

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'sentry-api.md')
const OPERATION = /`([\w{}/-]+)` ((?:(?:DELETE|GET|PATCH|POST|PUT)(?:, )?)+)/g

/** `GET /organizations/{}/teams`: names of parameters are Sentry's there and ours here. */
const shapeOf = (method: string, path: string): string =>
  `${method} /${path.replace(/^\/|\/$/g, '').replaceAll(/\{\w+\}|:\w+/g, '{}')}`

test('docs/reference/sentry-api.md says of each documented operation whether it is there', () => {
  const routes = new Set(
    createApi({} as ApiOptions).routes.map(({ method, path }) =>
      shapeOf(method, path.replace(/^\/api\/0/, '')),
    ),
  )
  const text = readFileSync(PAGE, 'utf8')
  const section = (from: string, to: string): string =>
    text.slice(text.indexOf(from), text.indexOf(to)).replaceAll(' | ', ' ')
  const named = (part: string): string[] =>
    [...part.matchAll(OPERATION)].flatMap(([, path = '', methods = '']) =>
      methods
        .split(', ')
        .filter(Boolean)
        .map((method) => shapeOf(method, path)),
    )
  const there = named(section('## Each endpoint', '### What is not there'))
  const absent = named(section('### What is not there', '### What is there and not'))
  assert.deepEqual(
    there.filter((operation) => !routes.has(operation)),
    [],
  )
  assert.deepEqual(
    absent.filter((operation) => routes.has(operation)),
    [],
  )
  const [, all, has, not] =
    /The (\d+) operations[\s\S]*?Sonde has (\d+), the other (\d+)/.exec(text)?.map(Number) ?? []
  assert.deepEqual([there.length, absent.length, there.length + absent.length], [has, not, all])
})

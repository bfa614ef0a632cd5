/** Whatever maps, scripts and frames there are: it ends, nothing is thrown, and the event as it came can be put back. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { resolvePosition } from '../../src/process/jobs.ts'
import { reprocessEvent, withRawStacks } from '../../src/symbolicate/reprocess-event.ts'
import { FAILED } from '../../src/symbolicate/symbolicate-event.ts'
import { debugId, eventOf, type FileHarness, imageOf, openFileHarness } from '../maps/file-harness.ts'

const URL = 'https://shop.test/assets/app.js'
let harness: FileHarness

const vlq = fc.stringMatching(/^[A-Za-z0-9+/,;]{0,40}$/)
const text = fc.oneof(fc.string(), fc.constantFrom('src/a.ts', '../../x', 'webpack://a/./b.ts', '\0v', ''))
const validMap = fc.record({
  version: fc.constant(3),
  sources: fc.array(fc.option(text), { minLength: 1, maxLength: 3 }),
  sourcesContent: fc.array(fc.option(fc.string()), { maxLength: 3 }),
  names: fc.array(text, { maxLength: 3 }),
  mappings: fc.oneof(fc.constantFrom('AAAA', 'AAAAA,CCAC;AADA', ';;AAAA', ''), vlq),
  ignoreList: fc.constantFrom(undefined, [0]),
})
const anyMap = fc.oneof(
  validMap.map((map) => JSON.stringify(map)),
  fc.json(),
  fc.string(),
)
const code = fc.oneof(fc.constantFrom('function a(){b.c()}\nclass A{m(){}}', 'const x=`${', ''), fc.string())
const number = fc.oneof(fc.integer({ min: -2, max: 40 }), fc.constantFrom(2 ** 31, 1e15))
const frame = fc.record(
  {
    filename: fc.oneof(fc.constant(URL), fc.webUrl(), fc.string()),
    abs_path: fc.oneof(fc.constant(URL), fc.string()),
    function: fc.oneof(fc.string(), fc.constantFrom('async a', 'Object.<anonymous>', 't')),
    lineno: number,
    colno: number,
    in_app: fc.boolean(),
    context_line: fc.string(),
    data: fc.constantFrom({}, { symbolicated: true }, { sourcemap: 'x' }),
    platform: fc.constantFrom('javascript', 'node', 'python'),
  },
  { requiredKeys: [] },
)
const frames = fc.array(frame, { minLength: 1, maxLength: 5 })

describe('properties', () => {
  before(async () => {
    harness = await openFileHarness()
  })

  after(() => harness.close())

  it('arbitrary files and frames', async () => {
    await fc.assert(
      fc.asyncProperty(anyMap, code, frames, fc.boolean(), async (map, script, list, sendsRaw) => {
        await harness.records.deleteFrom('artifact_bundle').execute()
        const id = debugId('c')
        await harness.upload([
          { type: 'minified_source', url: '~/assets/app.js', content: script, debugId: id },
          { type: 'source_map', url: '~/assets/app.js.map', content: map, debugId: id },
        ])
        const stacktrace = { frames: list }
        const event = eventOf([], {
          ...imageOf(URL, id),
          exception: [{ type: 'E', stacktrace, ...(sendsRaw && { raw_stacktrace: stacktrace }) }],
          threads: [{ id: '1', stacktrace }],
        })
        const symbolicated = await harness.symbolicate(event)
        assert.ok(
          !symbolicated.errors?.some(({ type }) => type === FAILED),
          JSON.stringify(symbolicated.errors),
        )
        const restored = withRawStacks(symbolicated)
        assert.deepEqual(restored.threads, event.threads)
        if (!sendsRaw) assert.deepEqual(restored, event)
        else assert.deepEqual(restored.exception?.[0]?.raw_stacktrace, event.exception?.[0]?.raw_stacktrace)

        // What is stored, read again with the same files, is what is stored.
        const { projectId, files } = harness
        const row = { projectId, logPosition: 1, itemIndex: 0, receivedMs: 0 }
        const again = (payload: string) => harness.done(() => reprocessEvent({ ...row, payload }, files))
        const first = await again(JSON.stringify(symbolicated))
        assert.ok(first.ok)
        const second = await again(first.fields.payload)
        assert.ok(second.ok && !second.changed)

        for (const { lineno = 0, colno = 0 } of list)
          for (const at of [
            { line: lineno, column: colno },
            { character: colno },
            { component: 'totalOf', file: '' },
          ])
            await harness.done(() => resolvePosition({ projectId, url: URL, debugId: id, at }, files))
      }),
      { numRuns: 60 },
    )
  })
})

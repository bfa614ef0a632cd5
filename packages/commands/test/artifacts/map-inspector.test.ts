import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { scriptFacts } from '../../src/artifacts/bundle-files.ts'
import { createMapInspector } from '../../src/artifacts/inspect/map-inspector.ts'
import { ID, MAP } from './upload-harness.ts'

/** So large that it goes to the thread. */
const padded = (text: string, bytes = 200_000): Buffer => Buffer.from(text + ' '.repeat(bytes))

describe('looking at an uploaded map', () => {
  const inspector = createMapInspector()
  after(() => inspector.close())

  it('says the same on the thread and beside it, for many at once', async () => {
    const answers = await Promise.all(
      [MAP, padded(MAP), padded(MAP.slice(0, 80)), padded(MAP, 20_000), MAP.slice(0, 80)].map((map) =>
        inspector.inspect(Buffer.from(map)),
      ),
    )
    assert.deepEqual(
      answers.map(({ debugId, problem }) => [debugId, problem]),
      [
        [ID, ''],
        [ID, ''],
        ['', 'not_json'],
        [ID, ''],
        ['', 'not_json'],
      ],
    )
  })

  it('of a buffer’s piece leaves the rest of the buffer alone', async () => {
    const whole = Buffer.concat([padded(MAP), Buffer.from('rest')])
    const { problem } = await inspector.inspect(whole.subarray(0, whole.length - 4))
    assert.equal(problem, '')
    assert.equal(whole.subarray(-4).toString(), 'rest')
  })

  it('goes on with a new thread when one died, and says of what it died', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'sonde-inspector-'))
    after(() => rmSync(dir, { recursive: true }))
    const entry = join(dir, 'dies.mjs')
    writeFileSync(
      entry,
      `import { parentPort } from 'node:worker_threads'
       parentPort.on('message', (bytes) => {
         if (bytes[0] === 120) process.exit(9)
         parentPort.postMessage({ debugId: '', file: '', problem: '', detail: 'alive' })
       })`,
    )
    const dying = createMapInspector(pathToFileURL(entry))
    after(() => dying.close())
    assert.equal((await dying.inspect(padded('good'))).detail, 'alive')
    assert.deepEqual(await dying.inspect(padded('x')), {
      debugId: '',
      file: '',
      problem: 'too_large',
      detail: 'reading it takes too much memory',
    })
    assert.equal((await dying.inspect(padded('good'))).detail, 'alive')
  })
})

describe('looking at an uploaded script', () => {
  it('reads its last comments, and the marker of a plugin', () => {
    const cases: readonly (readonly [string, string, string])[] = [
      [`a\n//# debugId=${ID}\n//# sourceMappingURL=a.js.map`, ID, 'a.js.map'],
      [`a\n//@ sourceMappingURL=../maps/a.js.map?v=1\n`, '', '../maps/a.js.map?v=1'],
      [`a{}\n/*# sourceMappingURL=a.css.map */`, '', 'a.css.map'],
      [`//# sourceMappingURL=old.map\nb\n//# sourceMappingURL=new.map\n`, '', 'new.map'],
      [`a\n//# sourceMappingURL=data:application/json;base64,${'A'.repeat(20_000)}`, '', 'data:'],
      [`x="sentry-dbid-${ID}";a\n//# sourceMappingURL=\n`, ID, ''],
      [`x="sentry-dbid-nonsense";`, '', ''],
      [`f("sourceMappingURL=nope")`, '', ''],
      [`//# sourceMappingURL=${'x'.repeat(5_000)}`, '', ''],
      ['', '', ''],
    ]
    for (const [code, debugId, mapRef] of cases)
      assert.deepEqual(scriptFacts(Buffer.from(code)), { debugId, mapRef }, code.slice(0, 60))
  })
})

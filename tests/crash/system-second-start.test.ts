/** One data folder belongs to one Sonde. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sonde, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'

void test('a second start on the same data folder is refused with what to do, and the first goes on', async () => {
  const data = temporaryDataDir()
  const running = await startSonde({ dataDir: data.dir })
  try {
    const second = sonde(data.dir, ['start'], { PORT: '0' })
    assert.notEqual(second.code, 0)
    assert.match(second.stderr, new RegExp(`${data.dir}.*already`))
    assert.match(second.stderr, /SONDE_DATA_DIR/, 'it says what to do')
    assert.match(second.stderr, new RegExp(String(running.child.pid)), 'it says which process has the folder')
    assert.doesNotMatch(second.stderr, /\n\s+at /, 'a stack trace is no message')
    assert.equal((await fetch(`${running.url}/healthz`)).status, 200)
    assert.equal((await fetch(`${running.url}/readyz`)).status, 200)
    assert.equal(await running.stop(), 0)
  } finally {
    running.child.kill('SIGKILL')
    data.remove()
  }
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { createProblemList } from '../src/problem-list.ts'
import { readable } from '../src/readable-lines.ts'
import { inScope } from '../src/scope.ts'

/** What a process writes that runs `code` with a log of its own. */
function written(code: string, format = 'json'): string {
  const base = JSON.stringify(import.meta.resolve('../src/index.ts'))
  const program = `import { createProcessLog, inScope } from ${base}
    const log = createProcessLog('front', 'info', '${format}')
    const { logger } = log
    ${code}`
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stderr
}

test('every line of a request has its id, also after an await, and no other line has one', () => {
  const lines = written(`
    await inScope({ requestId: 'abc-1' }, async () => {
      await new Promise(setImmediate)
      logger.warn({ event: 'sign_in' }, 'inside')
    })
    logger.info('outside')`)
    .trim()
    .split('\n')
  const [inside = '', outside = ''] = lines
  assert.match(
    inside,
    /^\{"level":40,"time":"[^"]+Z","role":"front","event":"sign_in","requestId":"abc-1","msg":"inside"\}$/,
  )
  assert.match(outside, /"role":"front","msg":"outside"\}$/)
  assert.equal(lines.length, 2)
})

test('the level changes while the process runs', () => {
  const text = written(`
    logger.debug('too early')
    log.setLevel('debug')
    logger.debug(log.level())
    log.setLevel('error')
    logger.warn('too late')`)
  assert.match(text, /^\{"level":20,[^\n]*"msg":"debug"\}\n$/)
})

test('text is for people: a line without quotes, and no control character reaches the terminal', () => {
  assert.match(
    written(`logger.info({ port: 4317 }, 'accepted')`, 'text'),
    /^\d{4}-\S+Z INFO {2}front accepted port=4317\n$/,
  )
  const evil = JSON.stringify({
    level: 50,
    time: 't',
    msg: 'a\u001b[2J\nb',
    err: { stack: 'E: x\n  at y\u0007' },
  })
  assert.equal(readable(evil), 't ERROR a?[2J?b\nE: x\n  at y?\n')
})

test('problems that are alike are one entry, the latest first, and their number is bounded', () => {
  let atMs = 1_000
  const problems = createProblemList(() => atMs++)
  problems.add('error', [{ err: new TypeError('no such thing\nsecond line') }, 'a page failed'])
  problems.add('warn', ['the disk is slow'])
  problems.add('warn', [{ operation: 'commit a batch' }, 'trying again'])
  problems.add('warn', [{ operation: 'read the log' }, 'trying again'])
  const work = problems
    .list()
    .slice(0, 2)
    .map(({ message }) => message)
  assert.deepEqual(work, ['trying again: read the log', 'trying again: commit a batch'])
  inScope({ requestId: 'r2' }, () => problems.add('error', [{ err: new Error('again') }, 'a page failed']))
  const others = problems.list().filter(({ message }) => !message.startsWith('trying'))
  assert.deepEqual(others, [
    {
      level: 'error',
      message: 'a page failed',
      error: 'Error: again',
      count: 2,
      firstMs: 1_000,
      lastMs: 1_004,
      requestId: 'r2',
    },
    {
      level: 'warn',
      message: 'the disk is slow',
      error: '',
      count: 1,
      firstMs: 1_001,
      lastMs: 1_001,
      requestId: undefined,
    },
  ])
  for (let kind = 0; kind < 200; kind++) problems.add('warn', [`${kind} ${'x'.repeat(1_000)}`])
  assert.equal(problems.list().length, 50)
  assert.equal(problems.list()[0]?.message.length, 301)
  assert.match(problems.list()[0]?.message ?? '', /^199 /)
})

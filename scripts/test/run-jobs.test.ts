import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runJobs } from './run-jobs.mjs'

test('jobs start in their order, two at a time, and no more of a suite than it allows', async () => {
  const alone = { name: 'alone', jobs: 1 }
  const pairs = { name: 'pairs', jobs: 2 }
  const jobs = [alone, alone, pairs, pairs, pairs, alone].map((suite, index) => ({
    suite,
    name: `${suite.name} ${index}`,
  }))
  const running: string[] = []
  const started: string[] = []
  let most = 0
  await runJobs(jobs, 2, Promise.resolve(), async ({ suite, name }) => {
    running.push(suite.name)
    started.push(name)
    most = Math.max(most, running.length)
    assert.ok(running.filter((other) => other === suite.name).length <= suite.jobs)
    await new Promise((resolve) => setImmediate(resolve))
    running.splice(running.indexOf(suite.name), 1)
  })
  assert.equal(most, 2)
  assert.deepEqual(started.toSorted(), jobs.map(({ name }) => name).toSorted())
  assert.deepEqual(started.slice(0, 2), ['alone 0', 'pairs 2'])
})

test('jobs that mostly wait take less than a core, so that more run at once', async () => {
  const suite = { name: 'waits', jobs: 3, cores: 0.5 }
  const busy = { name: 'busy', jobs: 2 }
  const jobs = [suite, suite, suite, suite, busy, busy].map((each, index) => ({ suite: each, index }))
  const running: string[] = []
  const seen: string[] = []
  await runJobs(jobs, 2, Promise.resolve(), async ({ suite: { name } }) => {
    running.push(name)
    seen.push(running.toSorted().join(' '))
    await new Promise((resolve) => setImmediate(resolve))
    running.splice(running.indexOf(name), 1)
  })
  assert.equal(seen.length, jobs.length)
  assert.equal(seen[2], 'waits waits waits')
  for (const each of seen) {
    const names = each.split(' ')
    const cores = names.reduce((sum, name) => sum + (name === 'waits' ? 0.5 : 1), 0)
    assert.ok(cores <= 2, each)
  }
})

test('what needs tools waits for them, and nothing else does', async () => {
  const [plain, served] = [
    { name: 'plain', jobs: 1 },
    { name: 'served', jobs: 1, needs: ['chromium'] },
  ]
  const started: string[] = []
  const { promise: tools, resolve: toolsAreThere } = Promise.withResolvers<void>()
  const jobs = [served, plain, plain].map((suite) => ({ suite }))
  await runJobs(jobs, 2, tools, async ({ suite: { name } }) => {
    started.push(name)
    await new Promise((resolve) => setImmediate(resolve))
    if (started.length === 2) toolsAreThere()
  })
  assert.deepEqual(started, ['plain', 'plain', 'served'])
})

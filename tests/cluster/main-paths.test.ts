/**
 * The main paths of the product on several machines: files of `tests/e2e` as they are, each in a process of its own, on one
 * cluster that is emptied in between. `npm test` takes three of them; `SONDE_CLUSTER_FILES=all` takes all, and names with spaces
 * in between those, to look further by hand.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { type EmptyCluster, rememberCluster } from '../harness/cluster/empty-cluster.ts'
import { type RunningCluster, startCluster } from '../harness/cluster/start-cluster.ts'
import { whyNoClickHouse } from '../harness/servers/clickhouse.ts'
import { INSTALLATION, type SharedInstallation, WITHOUT_SPIKE_LIMITS } from '../harness/start-sonde.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** What only several nodes can get wrong: one hears of the other, one reads what the other wrote. */
const SHORT = [
  'tests/e2e/screens-list-live.test.ts',
  // What is set on a screen holds for what is sent a moment later.
  'tests/e2e/screens-settings-door.test.ts',
  'tests/e2e/screens-source-maps.test.ts',
]
const MAIN_PATHS = [
  // Signing in, the issue list, an issue, every screen.
  'tests/e2e/screens.test.ts',
  ...SHORT,
  'tests/e2e/screens-explore.test.ts',
  // Vitals, navigations and charts.
  'tests/e2e/screens-performance.test.ts',
  'tests/e2e/screens-releases.test.ts',
]
const named = process.env['SONDE_CLUSTER_FILES']
const files = named === 'all' ? MAIN_PATHS : (named?.split(' ') ?? SHORT)

describe('on two nodes of each role, on servers', { skip: whyNoClickHouse() ?? false }, () => {
  let cluster: RunningCluster
  let remembered: EmptyCluster
  const dir = mkdtempSync(join(tmpdir(), 'sonde-cluster-log-'))
  const logFile = join(dir, 'log')
  before(async () => {
    appendFileSync(logFile, '')
    // The limits that every installation has, as where these files start a Sonde of their own.
    const spikeLimits = Object.fromEntries(Object.keys(WITHOUT_SPIKE_LIMITS).map((name) => [name, undefined]))
    cluster = await startCluster({ env: spikeLimits })
    for (const { name, running } of cluster.all)
      running().child.stderr?.on('data', (lines: Buffer) =>
        appendFileSync(logFile, `${name}: ${lines.toString()}`),
      )
    remembered = await rememberCluster(cluster.servers)
  })
  after(async () => {
    await remembered?.close()
    await cluster?.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const run = async (file: string): Promise<void> => {
    const { url, port, dataDir, env } = cluster
    const shared: SharedInstallation = { url, port, dataDir, env, logFile }
    const child = spawn(
      process.execPath,
      [
        `--import=${join(ROOT, 'scripts/test/screen-modules.mjs')}`,
        '--test',
        '--test-isolation=none',
        '--conditions=@sonde/source',
        '--test-force-exit',
        '--test-reporter=spec',
        file,
      ],
      {
        cwd: ROOT,
        env: { ...process.env, NODE_TEST_CONTEXT: undefined, [INSTALLATION]: JSON.stringify(shared) },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const [output, code] = await Promise.all([
      text(child.stdout),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ])
    assert.equal(code, 0, output)
    assert.match(output, /^ℹ pass [1-9]/m, output)
    assert.equal(cluster.balancer.unanswered(), 0, 'the load balancer had an answer to everything')
  }

  for (const file of files)
    test(file, async () => {
      await remembered.restore()
      await run(file)
    })
})

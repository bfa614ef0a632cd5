import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, silentLogger, UnavailableError } from '@sonde/base'
import { type EngineConfig, openEngines } from '../src/open-engines.ts'
import { runScript } from './run-script.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const config: EngineConfig = {
  records: { file: join(folder, 'records.sqlite') },
  telemetry: { dir: join(folder, 'telemetry') },
  blobs: { dir: join(folder, 'blobs') },
  log: { dir: join(folder, 'log') },
}
const options = { logger: silentLogger }

test('what was named is open, and closed together', async () => {
  const names = ['records', 'keys', 'blobs', 'logWriter', 'logReaders'] as const
  const { records, keys, blobs, logWriter, logReaders, close } = await openEngines(config, names, options)
  assert.deepEqual([...((await keys.read(undefined))?.keys ?? [])], [])
  assert.deepEqual(await records.db.selectFrom('project').selectAll().execute(), [])
  await blobs.put('a', Buffer.from('1'))
  await logWriter.append(Buffer.from('1'))
  assert.ok(((await logReaders.readers[0]?.depth())?.bytes ?? 0) > 0)
  await close()
  await close()
  const again = await openEngines(config, ['logWriter', 'logReaders'], options)
  await again.close()
})

test('an engine that cannot be opened is refused by the name of its setting, and nothing stays open', async () => {
  const url = 's3://bucket-without-a-key'
  for (const [name, setting] of [['blobs', 'SONDE_BLOBS_URL']] as const) {
    const remote = { records: config.records, blobs: { url }, log: config.log, telemetry: config.telemetry }
    await assert.rejects(
      openEngines(remote, [name], options),
      (error) => error instanceof ConfigError && error.subject === setting && error.hint !== undefined,
    )
  }
  const half = { ...config, blobs: { url } }
  await assert.rejects(openEngines(half, ['logWriter', 'blobs'], options), ConfigError)
  const writer = await openEngines(config, ['logWriter'], options)
  await writer.close()
})

test('without the address of a server no client of one is loaded', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    import { join } from 'node:path'
    import { silentLogger as logger } from '@sonde/base'
    const loaded = []
    registerHooks({
      load(url, context, next) {
        const client = /\\/node_modules\\/(pg|@nats-io|aws4fetch)\\//.exec(url)?.[1]
        if (client) loaded.push(client)
        return next(url, context)
      },
    })
    const { openEngines } = await import('../src/open-engines.ts')
    const dir = process.argv.at(-1)
    const blobs = process.env.BLOBS_URL ? { url: process.env.BLOBS_URL, keys: { accessKey: 'a', secretKey: 'b' } } : { dir: join(dir, 'blobs') }
    const config = {
      records: { file: join(dir, 'records.sqlite') },
      telemetry: { dir: join(dir, 'telemetry') },
      blobs,
      log: { dir: join(dir, 'log') },
    }
    const all = ['records', 'keys', 'nodes', 'telemetry', 'blobs', 'logWriter', 'logReaders', 'bus']
    const engines = await openEngines(config, all, { logger }).catch((error) => process.env.BLOBS_URL ? undefined : Promise.reject(error))
    await engines?.close()
    console.log('loaded: ' + [...new Set(loaded)].join(' '))`
  assert.match((await runScript(script, [temporaryFolder()])).output, /^loaded: $/m)
  const env = { BLOBS_URL: 's3://bucket?endpoint=http://127.0.0.1:1' }
  assert.match((await runScript(script, [temporaryFolder()], undefined, env)).output, /^loaded: aws4fetch$/m)
})

test('the client of NATS is loaded with the log on NATS, and not before', async () => {
  const { cache } = createRequire(import.meta.url)
  const isLoaded = (): boolean => Object.keys(cache).some((file) => file.includes('/@nats-io/'))
  const engines = await openEngines(config, ['logWriter', 'logReaders', 'bus'], options)
  await engines.close()
  assert.equal(isLoaded(), false)
  const log = { url: 'nats://127.0.0.1:1' }
  await assert.rejects(openEngines({ ...config, log }, ['logWriter'], options), UnavailableError)
  assert.equal(isLoaded(), true)
})

test('the bus reaches as far as there can be other processes of this Sonde', async () => {
  const nowhere = { url: 'nats://127.0.0.1:1' }
  const servers = {
    records: { url: 'postgres://127.0.0.1:1/sonde' },
    telemetry: { url: 'http://127.0.0.1:1/sonde' },
    blobs: { url: 's3://sonde' },
  }
  /** Nobody is at those addresses, and it opens all the same. */
  const reachesOut = async (more: Partial<EngineConfig>): Promise<boolean> => {
    const { bus, close } = await openEngines({ ...config, ...more }, ['bus'], options)
    bus.publish('job.wake', { job: 'anything' })
    const isConnected = bus.isConnected()
    await close()
    return !isConnected
  }
  assert.equal(await reachesOut({}), false)
  assert.equal(await reachesOut({ records: servers.records }), false)
  assert.equal(await reachesOut(servers), true)
  assert.equal(await reachesOut({ log: nowhere }), true)
})

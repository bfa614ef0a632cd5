/** A real S3 server of its own, on a free port of this machine, its objects in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Place } from '../../../packages/stores/src/blobs/s3/s3-address.ts'
import { ensureS3Server } from '../../../scripts/test/s3-server.mjs'
import { freePort } from '../free-ports.ts'

export type S3Server = {
  /** An origin. */
  readonly endpoint: string
  readonly keys: NonNullable<S3Place['keys']>
  /** A new, empty bucket, by the URL that Sonde takes. */
  makeBucket(prefix?: string): {
    readonly place: Required<S3Place>
    readonly bucket: string
    readonly dir: string
  }
  /** Ends it at once; `start` brings it back on the same port with the same objects. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const READY_WITHIN_MS = 15_000

export async function startS3(): Promise<S3Server> {
  const { python, folder } = ensureS3Server()
  const root = mkdtempSync(join(tmpdir(), 'sonde-s3-'))
  const objects = join(root, 'objects')
  mkdirSync(objects)
  const logFile = join(root, 'log')
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const keys = { accessKey: 'tests', secretKey: randomBytes(16).toString('hex') }
  let buckets = 0
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    const where = ['--host', '127.0.0.1', '--port', String(port), '--data-dir', objects]
    const args = ['-m', 'nanio', 'serve', ...where, '--no-access-log', '--log-level', 'warning']
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: folder,
      NANIO_ACCESS_KEY: keys.accessKey,
      NANIO_SECRET_KEY: keys.secretKey,
    }
    const log = openSync(logFile, 'a')
    const started = spawn(python, args, { env, stdio: ['ignore', log, log] })
    closeSync(log)
    // Tests that forget it still end, and it with them.
    started.unref()
    child = started
    const endMs = Date.now() + READY_WITHIN_MS
    while (!(await listens(port))) {
      if (started.exitCode === null && Date.now() < endMs) await sleep(10)
      else throw new Error(`the S3 server did not start\n${readFileSync(logFile, 'utf8')}`)
    }
  }
  const kill = async (): Promise<void> => {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await ended
  }
  process.once('exit', () => {
    child?.kill('SIGKILL')
    rmSync(root, { recursive: true, force: true })
  })
  await start()
  return {
    endpoint: `http://${address}`,
    keys,
    makeBucket(prefix = '') {
      const bucket = `sonde-${process.pid}-${++buckets}`
      const dir = join(objects, bucket)
      mkdirSync(dir)
      return { bucket, dir, place: { url: `s3://${bucket}/${prefix}?endpoint=http://${address}`, keys } }
    },
    kill,
    start,
    async stop() {
      await kill()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

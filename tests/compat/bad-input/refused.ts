/** What must be refused at the door, and how. */
import { gzipSync } from 'node:zlib'
import type { Harness } from '../support/harness.ts'
import { envelopeOf, newId, type PostOptions } from './post.ts'

export type RefusedCase = {
  readonly name: string
  readonly status: number
  readonly body: Buffer
  readonly options?: PostOptions
}

const MIB = 1024 * 1024
const EVENT = { message: 'this must never be shown' }

export type BadKeys = { readonly disabled: string; readonly ofOther: string }

export function refusedCases({ project }: Harness, { disabled, ofOther }: BadKeys): readonly RefusedCase[] {
  const good = envelopeOf(newId(), EVENT)
  const gzip = { headers: { 'content-encoding': 'gzip' } }
  const lying = (length: unknown): Buffer =>
    Buffer.from(`{}\n{"type":"event","length":${JSON.stringify(length)}}\n${JSON.stringify(EVENT)}\n`)
  return [
    { name: 'an empty body', status: 400, body: Buffer.alloc(0) },
    { name: 'an envelope cut inside its header', status: 400, body: good.subarray(0, 20) },
    { name: 'an envelope cut inside an item', status: 400, body: good.subarray(0, good.length - 12) },
    {
      name: 'a gzip body cut in the middle',
      status: 400,
      body: gzipSync(good).subarray(0, 60),
      options: gzip,
    },
    { name: 'a body that only says it is gzip', status: 400, body: good, options: gzip },
    { name: 'a length beyond the end', status: 400, body: lying(4000) },
    { name: 'a length before the end', status: 400, body: lying(5) },
    { name: 'a negative length', status: 400, body: lying(-1) },
    { name: 'a length in words', status: 400, body: lying('many') },
    { name: 'a length no number holds', status: 400, body: lying(2 ** 60) },
    { name: 'an event of 2 MiB', status: 413, body: envelopeOf(newId(), { message: 'x'.repeat(2 * MIB) }) },
    { name: 'a body of 30 MiB', status: 413, body: Buffer.alloc(30 * MIB, 'x') },
    { name: 'a zip bomb of 256 MiB', status: 413, body: gzipSync(Buffer.alloc(256 * MIB)), options: gzip },
    {
      name: 'ten thousand items',
      status: 413,
      body: Buffer.from(`{}\n${'{"type":"hologram","length":0}\n\n'.repeat(10_000)}`),
    },
    { name: 'no key', status: 401, body: good, options: { key: null } },
    { name: 'an unknown key', status: 403, body: good, options: { key: 'f'.repeat(32) } },
    { name: 'a key that is none', status: 400, body: good, options: { key: '../../etc/passwd' } },
    { name: 'a disabled key', status: 403, body: good, options: { key: disabled } },
    { name: 'the key of another project', status: 403, body: good, options: { key: ofOther } },
    { name: 'an unknown project', status: 403, body: good, options: { path: '/api/999999/envelope/' } },
    {
      name: 'a project that is no number',
      status: 400,
      body: good,
      options: { path: '/api/shop/envelope/' },
    },
    { name: 'PUT', status: 405, body: good, options: { method: 'PUT' } },
    {
      name: 'a store body that is no JSON',
      status: 400,
      body: good,
      options: { path: storePath(project.id) },
    },
    { name: 'a tunnel without DSN', status: 400, body: good, options: { path: '/monitoring', key: null } },
    {
      name: 'a tunnel to another host',
      status: 403,
      body: Buffer.from('{"dsn":"http://ffffffffffffffffffffffffffffffff@127.0.0.1:1/1"}\n'),
      options: { path: '/monitoring', key: null },
    },
  ]
}

const storePath = (projectId: string): string => `/api/${projectId}/store/`

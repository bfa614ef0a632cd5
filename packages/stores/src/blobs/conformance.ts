/** What every engine of the blobs must do. Run by the engines' tests. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SondeError } from '@sonde/base'
import type { Blobs, OpenBlob } from './blobs.ts'

/** `open` opens the same store each time, empty at first. */
export function testBlobs(name: string, open: () => Promise<Blobs>): void {
  test(`${name}: bytes come back as they were, also after opening again, and are replaced whole`, async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251)
    const first = await open()
    await first.put('dead/1', bytes)
    await first.put('dead/2', new Uint8Array())
    const second = await open()
    assert.deepEqual(Buffer.from((await second.get('dead/1')) ?? []), Buffer.from(bytes))
    assert.equal((await second.get('dead/2'))?.length, 0)
    await second.put('dead/1', Buffer.from('short'))
    assert.equal(Buffer.from((await first.get('dead/1')) ?? []).toString(), 'short')
  })

  test(`${name}: the bytes of a file come back as they were, also of a large one, and the file stays`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'sonde-blob-'))
    try {
      const path = join(dir, 'one')
      const blobs = await open()
      for (const length of [0, 70_001, 17 * 1024 * 1024 + 3]) {
        const bytes = Buffer.from(Uint8Array.from({ length }, (_, at) => at % 251))
        writeFileSync(path, bytes)
        await blobs.putFile('file/1', path)
        assert.ok(Buffer.from((await blobs.get('file/1')) ?? []).equals(bytes))
        assert.equal(statSync(path).size, length)
      }
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })

  test(`${name}: what is missing reads as undefined and deletes without complaint`, async () => {
    const blobs = await open()
    assert.equal(await blobs.get('no/such'), undefined)
    await blobs.delete('no/such')
    await blobs.put('gone', Buffer.from('x'))
    await blobs.delete('gone')
    await blobs.delete('gone')
    assert.equal(await blobs.get('gone'), undefined)
  })

  test(`${name}: a blob is read bit by bit, also while it is deleted, and a reader may give up`, async () => {
    const blobs = await open()
    const bytes = Uint8Array.from({ length: 700_000 }, (_, at) => at % 253)
    await blobs.put('long', bytes)
    await blobs.put('empty', new Uint8Array())
    const found = await blobs.open('long')
    assert.equal(found?.bytes, bytes.length)
    await blobs.delete('long')
    const read = await partsOf(found)
    assert.ok(read.length > 1)
    assert.ok(Buffer.concat(read).equals(bytes))
    const empty = await blobs.open('empty')
    assert.equal(empty?.bytes, 0)
    assert.deepEqual(await partsOf(empty), [])
    assert.equal(await blobs.open('long'), undefined)
    assert.equal(await blobs.open('no/such'), undefined)
    await blobs.put('given/up', bytes)
    await (await blobs.open('given/up'))?.stream.cancel()
    assert.equal(await blobs.open('given'), undefined)
  })

  test(`${name}: a list has the names below a prefix in order, with their size`, async () => {
    const blobs = await open()
    for (const one of ['l/b/2', 'l/b', 'l/a.x', 'l/b-1', 'lx/1', 'l/b/10']) {
      if (one !== 'l/b') await blobs.put(one, Buffer.from(one))
    }
    assert.deepEqual(await names(blobs, 'l/'), ['l/a.x', 'l/b-1', 'l/b/10', 'l/b/2'])
    assert.deepEqual(await names(blobs, 'l/b'), ['l/b-1', 'l/b/10', 'l/b/2'])
    assert.deepEqual(await names(blobs, 'l/b/'), ['l/b/10', 'l/b/2'])
    assert.deepEqual(await names(blobs, 'nothing/'), [])
    for await (const blob of blobs.list('l/a')) assert.deepEqual(blob, { name: 'l/a.x', bytes: 5 })
  })

  test(`${name}: a name that could leave the store or hide in it is refused`, async () => {
    const blobs = await open()
    const bad = [
      '',
      '/',
      '../x',
      'a/../b',
      'a//b',
      '/a',
      'a/',
      '.x',
      'a/.x',
      'A',
      'a b',
      'a\0b',
      'a\\b',
      'é',
      'a..b',
    ]
    for (const one of [...bad, 'x'.repeat(201), `${'x/'.repeat(600)}x`]) {
      await assert.rejects(blobs.put(one, new Uint8Array()), refused, JSON.stringify(one))
      await assert.rejects(blobs.get(one), refused)
      await assert.rejects(blobs.open(one), refused)
      await assert.rejects(blobs.delete(one), refused)
    }
  })

  test(`${name}: a reader beside a writer sees the old bytes or the new, never a part`, async () => {
    const blobs = await open()
    const versions = ['a', 'b'].map((char) => Buffer.alloc(200_000, char))
    await blobs.put('race', versions[0] as Buffer)
    const writer = (async () => {
      for (let at = 0; at < 20; at++) await blobs.put('race', versions[at % 2] as Buffer)
    })()
    for (let at = 0; at < 40; at++) {
      const seen = Buffer.from((await blobs.get('race')) ?? [])
      assert.ok(versions.some((version) => version.equals(seen)))
    }
    await writer
  })
}

async function partsOf(blob: OpenBlob | undefined): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  for await (const part of blob?.stream ?? []) parts.push(part)
  return parts
}

async function names(blobs: Blobs, prefix: string): Promise<string[]> {
  const found: string[] = []
  for await (const blob of blobs.list(prefix)) found.push(blob.name)
  return found
}

const refused = (error: unknown): boolean => error instanceof SondeError && error.kind === 'invalid'

/** A file system that the kernel made read-only after an error: SDKs are told to wait, and what was acknowledged is there after it was mended. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiClient, createProject } from '../harness/api-client.ts'
import { backPidOf, killNow } from '../harness/processes.ts'
import { sonde, startSonde } from '../harness/start-sonde.ts'

const IMAGE_BYTES = 96 * 1024 * 1024
const WITHIN_MS = 30_000

/** An ext4 of its own: only a real file system goes read-only under open files. The reason instead where none can be mounted. */
function mountExt4() {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-read-only-'))
  const [image, mount] = [join(dir, 'image'), join(dir, 'mount')]
  const run = (command: string, ...args: string[]): void =>
    void execFileSync(command, args, { stdio: 'pipe' })
  const attach = (): void => run('mount', '-o', 'loop,errors=remount-ro', image, mount)
  try {
    writeFileSync(image, Buffer.alloc(IMAGE_BYTES))
    mkdirSync(mount)
    run('mkfs.ext4', '-q', image)
    attach()
  } catch (error) {
    rmSync(dir, { recursive: true })
    return `needs the right to mount an image (Linux, root): ${(error as Error).message.split('\n')[0]}`
  }
  return {
    dataDir: join(mount, 'data'),
    // What the kernel does after an error of the disk: https://man7.org/linux/man-pages/man5/ext4.5.html
    breakIt: () => run('mount', '-o', 'remount,abort', mount),
    mend() {
      run('umount', mount)
      try {
        run('e2fsck', '-p', image)
      } catch (error) {
        // 1: errors were corrected.
        if ((error as { status?: number }).status !== 1) throw error
      }
      attach()
    },
    remove() {
      run('umount', '-l', mount)
      rmSync(dir, { recursive: true })
    },
  }
}

void test('a disk that became read-only answers 503 with a time, and nothing acknowledged is lost', async (context) => {
  const disk = mountExt4()
  if (typeof disk === 'string') return context.skip(disk)
  let running = await startSonde({ dataDir: disk.dataDir })
  try {
    const project = createProject(running, 'acme/shop')

    const post = async (message: string): Promise<Response> => {
      const item = JSON.stringify({ message })
      return await fetch(`${running.url}/api/${project.id}/envelope/?sentry_key=${project.publicKey}`, {
        method: 'POST',
        body: `{}\n{"type":"event","length":${Buffer.byteLength(item)}}\n${item}`,
      })
    }
    const acknowledged: string[] = []
    const take = async (message: string): Promise<void> => {
      const answer = await post(message)
      assert.equal(answer.status, 200)
      acknowledged.push(((await answer.json()) as { id: string }).id)
    }
    for (let at = 0; at < 20; at++) await take(`before ${at}`)

    disk.breakIt()
    const endMs = Date.now() + WITHIN_MS
    let refused = await post('refused')
    // Until the first write reaches the disk.
    for (; refused.status === 200 && Date.now() < endMs; refused = await post('refused'))
      acknowledged.push(((await refused.json()) as { id: string }).id)
    assert.equal(refused.status, 503)
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal((await fetch(`${running.url}/readyz`)).status, 503)
    assert.equal((await fetch(`${running.url}/healthz`)).status, 200, 'a new process would not mend it')
    assert.match(running.log(), /remount|read-only/i)

    // Nobody can end what it waits for in the kernel: as an operator would, before the file system is mended.
    const backPid = backPidOf(running.child.pid ?? 0)
    await running.kill()
    if (backPid !== undefined) await killNow(backPid).catch(() => undefined)
    const onReadOnly = sonde(disk.dataDir, ['start'], { PORT: '0' })
    assert.notEqual(onReadOnly.code, 0)
    assert.match(onReadOnly.stderr + onReadOnly.stdout, /read-only|EROFS|writable/i)

    disk.mend()
    running = await startSonde({ dataDir: disk.dataDir })
    await take('after')
    const again = apiClient(running)
    for (const id of acknowledged)
      await again.until(`/api/0/projects/acme/shop/events/${id}/`, () => true, WITHIN_MS)
    assert.equal(await running.stop(), 0)
  } finally {
    running.child.kill('SIGKILL')
    disk.remove()
  }
})

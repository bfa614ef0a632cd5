/** Log files on the real disk whose writes, syncs and cuts fail or take long when a test says so. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openLogFile, type OpenLogFile } from '../../src/embedded/segments.ts'

export type FailingDisk = {
  readonly openFile: OpenLogFile
  /** Per operation: the error code to fail with, until set back. */
  fails: Partial<Record<'open' | 'writev' | 'datasync' | 'truncate', string>>
  /** A failing `writev` gets this many bytes down first, as a disk that fills up does. */
  partialBytes: number
  /** What each sync takes besides. */
  syncMs: number
}

export function failingDisk(): FailingDisk {
  const disk: FailingDisk = { openFile, fails: {}, partialBytes: 0, syncMs: 0 }
  const failIf = (operation: keyof FailingDisk['fails']): void => {
    const code = disk.fails[operation]
    if (code !== undefined) throw Object.assign(new Error(`${operation}: simulated ${code}`), { code })
  }
  async function openFile(...args: Parameters<OpenLogFile>): ReturnType<OpenLogFile> {
    failIf('open')
    const file = await openLogFile(...args)
    return new Proxy(file, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return async (...given: unknown[]) => {
          if (name === 'writev' && disk.fails.writev !== undefined && disk.partialBytes > 0) {
            const [buffers, position] = given as [Uint8Array[], number]
            await target.write(
              Buffer.concat(buffers).subarray(0, disk.partialBytes),
              0,
              disk.partialBytes,
              position,
            )
          }
          if (name === 'datasync' && disk.syncMs > 0) await sleep(disk.syncMs)
          if (name === 'writev' || name === 'datasync' || name === 'truncate') failIf(name)
          return (await Reflect.apply(value, target, given)) as unknown
        }
      },
    })
  }
  return disk
}

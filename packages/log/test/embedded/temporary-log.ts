/** An embedded log in a folder of its own, for tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@sonde/base'
import type { OpenLog } from '../../src/conformance.ts'
import {
  type LogReaderOptions,
  type LogWriterOptions,
  openLogReader,
  openLogWriter,
} from '../../src/embedded/index.ts'

export type TemporaryLog = Omit<OpenLog, 'reopen'> & {
  readonly dir: string
  reopen(): Promise<TemporaryLog>
}
type Options = Partial<LogWriterOptions> & Partial<LogReaderOptions>

export async function temporaryDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'sonde-log-'))
}

export async function temporaryLog(options: Options = {}): Promise<TemporaryLog> {
  return openAt(options.dir ?? (await temporaryDir()), options)
}

async function openAt(dir: string, options: Options): Promise<TemporaryLog> {
  const all = { logger: silentLogger, firstPosition: 0, ...options, dir }
  const writer = await openLogWriter(all)
  const reader = await openLogReader(all)
  const close = async (): Promise<void> => {
    await writer.close()
    await reader.close()
  }
  return {
    dir,
    writer,
    reader,
    async reopen() {
      await close()
      return openAt(dir, options)
    },
    async dispose() {
      await close()
      await rm(dir, { recursive: true })
    },
  }
}

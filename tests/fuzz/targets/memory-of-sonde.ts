import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { RunningSonde } from '../../harness/start-sonde.ts'

// Several times what they take after some thousand inputs.
const MAX_FRONT_MIB = 700
const MAX_BACK_MIB = 1_800

/** Where the system tells; both processes, since the back is a child of the front. */
export function assertBounded({ child }: RunningSonde): void {
  if (process.platform !== 'linux' || child.pid === undefined) return
  assert.ok(mibOf(child.pid) < MAX_FRONT_MIB, 'the front takes too much memory')
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
  for (const pid of children)
    if (pid !== '') assert.ok(mibOf(Number(pid)) < MAX_BACK_MIB, 'the back takes too much memory')
}

function mibOf(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

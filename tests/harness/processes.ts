/** The processes of a running Sonde, found from outside: a crash test must not ask the program that it kills. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Undefined while there is none: it died, and the front has not started the next one yet. */
export function backPidOf(frontPid: number): number | undefined {
  const back = childPids(frontPid).find((pid) => /\bback\.(js|ts)\b/.test(commandOf(pid)))
  return back
}

/** Resolves when the process is gone, whoever its parent is. */
export async function killNow(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await ended(pid)
}

export async function ended(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(5)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A dead child stays in the table until its parent has noticed.
    return !/^State:\s+Z/m.test(statusOf(pid))
  } catch {
    return false
  }
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

function childPids(pid: number): number[] {
  const listed = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout
  return listed
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}

function commandOf(pid: number): string {
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
}

/** `kill -9` of one process of a running Sonde or of both, and what it takes to have it running again. */
import { backPidOf, ended, killNow } from '../harness/processes.ts'
import { type RunningSonde, startSonde, WITHOUT_SPIKE_LIMITS } from '../harness/start-sonde.ts'

export type Victim = 'front' | 'back' | 'both'

/** The same Sonde when only its back died, else its successor on the same port and data folder. */
export async function killVictim(victim: Victim, running: RunningSonde): Promise<RunningSonde> {
  const { dataDir, port, child } = running
  const frontPid = child.pid ?? 0
  const backPid = backPidOf(frontPid)
  if (victim === 'back') {
    // It may be between two lives already.
    if (backPid !== undefined) await killNow(backPid)
    return running
  }
  if (victim === 'both' && backPid !== undefined) process.kill(backPid, 'SIGKILL')
  await running.kill()
  // At once, as a service manager does it: an orphaned back may still be putting its things in order.
  const restarted = await startSonde({ dataDir, port, env: WITHOUT_SPIKE_LIMITS })
  if (backPid !== undefined) await ended(backPid)
  return restarted
}

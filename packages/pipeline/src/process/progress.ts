/** How far a digesting thread is, in memory that it shares: it can be read while the thread is busy, hangs or is gone. */

export type ThreadState = 'digesting' | 'waiting' | 'reading'
const STATES = ['digesting', 'waiting', 'reading'] as const satisfies readonly ThreadState[]

const BEGUN = 0
const STATE = 1
/** Moves with every change, so that two equal looks mean that nothing happened between them. */
const STEP = 2
export const PROGRESS_BYTES = 3 * Int32Array.BYTES_PER_ELEMENT

export type Progress = {
  /** How many items of the job were begun: the last of them is to blame if the thread does not come back. */
  begun(): number
  state(): ThreadState
  step(): number
  begin(item: number): void
  enter(state: ThreadState): void
}

export function openProgress(shared: SharedArrayBuffer): Progress {
  const numbers = new Int32Array(shared)
  const enter = (state: ThreadState): void => {
    Atomics.store(numbers, STATE, STATES.indexOf(state))
    Atomics.add(numbers, STEP, 1)
  }
  return {
    begun: () => Atomics.load(numbers, BEGUN),
    state: () => STATES[Atomics.load(numbers, STATE)] ?? 'digesting',
    step: () => Atomics.load(numbers, STEP),
    begin(item) {
      Atomics.store(numbers, BEGUN, item)
      enter('digesting')
    },
    enter,
  }
}

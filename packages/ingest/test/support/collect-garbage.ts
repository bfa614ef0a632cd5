/** Runs the garbage collector now, so that what is measured is what is held, not what waits to be freed. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

export function collectGarbage(): void {
  collect()
  // Buffers of the first round are freed in the background; the second round waits for that.
  collect()
}

/** The real worker, in which reading some files never ends or ends the thread: what a map could do that nobody thought of. */
import process from 'node:process'

const { decode } = TextDecoder.prototype
TextDecoder.prototype.decode = function poisoned(...input) {
  const text = decode.apply(this, input)
  if (text.startsWith('// this map hangs')) for (;;);
  if (text.startsWith('// this map crashes')) process.exit(3)
  return text
}
await import('../../src/process/worker.ts')

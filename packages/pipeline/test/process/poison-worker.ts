/** The real worker, in which some texts are poison: what an endless loop or a crash of the engine would be. */
import process from 'node:process'

const parse = JSON.parse
JSON.parse = (text: string, ...more: []) => {
  if (text.includes('please hang')) for (;;);
  if (text.includes('please crash')) process.exit(3)
  if (text.includes('please eat')) {
    const eaten: number[][] = []
    for (;;) eaten.push(Array.from<number>({ length: 1_000_000 }).fill(0.5))
  }
  return parse(text, ...more) as unknown
}
await import('../../src/process/worker.ts')

/** `node scripts/with-tools.mjs COMMAND …`: sets up everything that checks need, then runs one of their programs. */
import { ensureDependencies, run } from './setup.mjs'

const [command = 'node', ...args] = process.argv.slice(2)
ensureDependencies()
run(command, args)

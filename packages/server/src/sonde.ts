/** The program `sonde`: finds the command, runs it, turns errors into a message and an exit code. */
import { SondeError } from '@sonde/base'
import { findCommand, helpText, readInput, UsageError } from './cli/arguments.ts'
import { COMMANDS } from './cli/commands.ts'
import { note, print } from './cli/print.ts'

/** 0 done · 1 failed · 2 asked wrongly or configured wrongly. */
async function main(argv: readonly string[]): Promise<number> {
  if (argv.length === 0 || argv[0] === 'help' || argv.includes('--help')) {
    print(helpText(COMMANDS))
    return argv.length === 0 ? 2 : 0
  }
  const found = findCommand(COMMANDS, argv)
  if (!found) {
    note(`sonde has no command "${argv.join(' ')}"\n\n${helpText(COMMANDS)}`)
    return 2
  }
  const input = readInput(found.command, found.rest)
  const run = await found.command.load()
  return run(input)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    note(error.message)
    process.exitCode = 2
  } else if (error instanceof SondeError) {
    note(`sonde: ${error.message}${error.hint ? `\n       ${error.hint}` : ''}`)
    process.exitCode = error.kind === 'config' ? 2 : 1
  } else {
    note(`sonde: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    process.exitCode = 1
  }
}

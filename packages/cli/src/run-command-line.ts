/** Finds the command, runs it, and turns errors into a message and an exit code. */
import { SondeError } from '@sonde/base/errors'
import { type Command, findCommand, helpText, readInput, UsageError } from './arguments.ts'
import { note, print } from './print.ts'

export type CommandLine = {
  readonly commands: readonly Command[]
  /** The last line of the help: where to read on. */
  readonly footer: string
}

/** The exit code. 0 done · 1 failed · 2 asked wrongly or configured wrongly. */
export async function runCommandLine(argv: readonly string[], line: CommandLine): Promise<number> {
  try {
    return await run(argv, line)
  } catch (error) {
    if (error instanceof UsageError) {
      note(error.message)
      return 2
    }
    if (error instanceof SondeError) {
      note(`sonde: ${error.message}${error.hint ? `\n       ${error.hint}` : ''}`)
      return error.kind === 'config' ? 2 : 1
    }
    note(`sonde: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return 1
  }
}

async function run(argv: readonly string[], { commands, footer }: CommandLine): Promise<number> {
  if (argv.length === 0 || argv[0] === 'help' || argv.includes('--help')) {
    print(helpText(commands, footer))
    return argv.length === 0 ? 2 : 0
  }
  const found = findCommand(commands, argv)
  if (!found) {
    note(`sonde has no command "${argv.join(' ')}"\n\n${helpText(commands, footer)}`)
    return 2
  }
  const input = readInput(found.command, found.rest)
  return (await found.command.load())(input)
}

/** Finds the command, runs it, and turns errors into a message and an exit code. */
import { SondeError } from '@sonde/base/errors'
import {
  type Command,
  commandHelp,
  commandsUnder,
  findCommand,
  helpText,
  readInput,
  shortHelpText,
  UsageError,
} from './arguments.ts'
import { note, print } from './print.ts'

export type CommandLine = {
  readonly commands: readonly Command[]
  /** The last line of the help: where to read on. */
  readonly footer: string
  /** What `--version` prints. */
  readonly version?: string
  /** Of the kind of an error: 1, and 2 for what is configured wrongly, unless given. */
  readonly exitCodeOf?: (kind: string) => number
  /** With `--json` an error is printed as JSON too. */
  readonly hasJsonErrors?: boolean
  /** The help of all commands is a line each; `COMMAND --help` has the rest. */
  readonly hasShortHelp?: boolean
}

const exitCodeOf = (kind: string): number => (kind === 'config' ? 2 : 1)

/** The exit code. 0 done · 2 asked wrongly; of errors what `exitCodeOf` says. */
export async function runCommandLine(argv: readonly string[], line: CommandLine): Promise<number> {
  try {
    return await run(argv, line)
  } catch (error) {
    const isJson = line.hasJsonErrors === true && argv.includes('--json')
    if (error instanceof UsageError) {
      if (isJson) print(JSON.stringify({ error: error.message, kind: 'usage' }))
      note(error.message)
      return 2
    }
    if (error instanceof SondeError) {
      const { message, kind, hint } = error
      if (isJson) print(JSON.stringify({ error: message, kind, ...(hint !== undefined && { hint }) }))
      note(`sonde: ${message}${hint ? `\n       ${hint}` : ''}`)
      return (line.exitCodeOf ?? exitCodeOf)(kind)
    }
    if (isJson) print(JSON.stringify({ error: String(error), kind: 'internal' }))
    note(`sonde: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return 1
  }
}

async function run(
  argv: readonly string[],
  { commands, footer, version, hasShortHelp }: CommandLine,
): Promise<number> {
  const helpOf = (under: readonly Command[]): string => {
    if (under.length > 0) return helpText(under, footer)
    return (hasShortHelp ? shortHelpText : helpText)(commands, footer)
  }
  if (version !== undefined && (argv[0] === '--version' || argv[0] === '-V')) {
    print(version)
    return 0
  }
  const isHelp = argv[0] === 'help' || argv.includes('--help')
  const words = argv.filter((word) => word !== 'help' && !word.startsWith('-'))
  if (isHelp || argv.length === 0) {
    const found = words.length === 0 ? undefined : findCommand(commands, words)
    const under = commandsUnder(commands, words)
    print(found ? commandHelp(found.command) : helpOf(under))
    return argv.length === 0 ? 2 : 0
  }
  const found = findCommand(commands, argv)
  if (!found) {
    const under = commandsUnder(commands, words)
    note(`sonde has no command "${argv.join(' ')}"\n\n${helpOf(under)}`)
    return 2
  }
  const input = readInput(found.command, found.rest)
  return (await found.command.load())(input)
}

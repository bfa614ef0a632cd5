/** Reads a command line against the literal list of commands; a wrong one is answered with what is right. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'

export class UsageError extends Error {}

export type CommandInput = {
  readonly positionals: readonly string[]
  readonly text: (name: string) => string | undefined
  readonly flag: (name: string) => boolean
  /** Throws `UsageError` when the option is missing. */
  readonly need: (name: string) => string
}

/** Resolves to the exit code. */
export type RunCommand = (input: CommandInput) => Promise<number>

export type Command = {
  /** The words after `sonde`: `project create`. */
  readonly words: readonly string[]
  /** What it was called before: still understood, not shown in the help. */
  readonly formerWords?: readonly string[]
  /** What follows the words, for the help. */
  readonly usage: string
  readonly help: string
  readonly options: ParseArgsOptionsConfig
  /** How many arguments may follow the words. */
  readonly positionals: { readonly min: number; readonly max: number }
  /** Loaded only when it runs: the front, which is a command too, must stay small. */
  readonly load: () => Promise<RunCommand>
}

/** The two slugs of `ORG/PROJECT`. */
export function readProjectPath(text: string): readonly [org: string, project: string] {
  const [org, project, ...more] = text.split('/')
  if (org && project && more.length === 0) return [org, project]
  throw new UsageError('name the project as ORG/PROJECT, such as acme/shop')
}

export function findCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { command: Command; rest: string[] } | undefined {
  for (const command of commands)
    for (const words of [command.words, command.formerWords ?? []])
      if (words.length > 0 && words.every((word, index) => argv[index] === word))
        return { command, rest: argv.slice(words.length) }
  return undefined
}

export function readInput(command: Command, rest: string[]): CommandInput {
  const parsed = parse(command, rest)
  const { min, max } = command.positionals
  if (parsed.positionals.length < min || parsed.positionals.length > max) {
    throw new UsageError(`sonde ${command.words.join(' ')} ${command.usage}`)
  }
  const text = (name: string): string | undefined => {
    const value = parsed.values[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    positionals: parsed.positionals,
    text,
    flag: (name) => parsed.values[name] === true,
    need(name) {
      const value = text(name)
      if (value === undefined)
        throw new UsageError(`--${name} is missing: sonde ${command.words.join(' ')} ${command.usage}`)
      return value
    },
  }
}

function parse(command: Command, args: string[]) {
  try {
    return parseArgs({ args, options: command.options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nsonde ${command.words.join(' ')} ${command.usage}`)
  }
}

/** `footer`: the last line. */
export function helpText(commands: readonly Command[], footer: string): string {
  const heads = commands.map(({ words, usage }) => `  sonde ${[...words, usage].join(' ').trim()}`)
  const width = Math.min(64, Math.max(...heads.map((head) => head.length)))
  const lines = commands.map(({ help }, index) => {
    const head = heads[index] ?? ''
    return head.length > width ? `${head}\n${' '.repeat(width)}  ${help}` : `${head.padEnd(width)}  ${help}`
  })
  return ['Sonde: errors, traces and real-user performance, self-hosted.', '', ...lines, '', footer, ''].join(
    '\n',
  )
}

/** Reads a command line against the literal list of commands; a wrong one is answered with what is right. */
import { parseArgs } from 'node:util'

export class UsageError extends Error {}

export type CommandInput = {
  readonly positionals: readonly string[]
  readonly text: (name: string) => string | undefined
  readonly flag: (name: string) => boolean
  /** Of an option that may be given several times. */
  readonly texts: (name: string) => readonly string[]
  /** Throws `UsageError` when the option is missing. */
  readonly need: (name: string) => string
}

/** Resolves to the exit code. */
export type RunCommand = (input: CommandInput) => Promise<number>

export type CommandOption = {
  readonly type: 'string' | 'boolean'
  /** May be given several times. */
  readonly multiple?: boolean
  /** For the reference: a sentence. */
  readonly about?: string
  /** What the shell offers while it is typed. */
  readonly choices?: readonly string[]
}

export type Command = {
  /** The words after `sonde`: `project create`. */
  readonly words: readonly string[]
  /** What it was called before: still understood, not shown in the help. */
  readonly formerWords?: readonly string[]
  /** What follows the words, for the help. */
  readonly usage: string
  readonly help: string
  readonly options: Readonly<Record<string, CommandOption>>
  /** How many arguments may follow the words. */
  readonly positionals: { readonly min: number; readonly max: number }
  /** Loaded only when it runs: the front, which is a command too, must stay small. */
  readonly load: () => Promise<RunCommand>
  /** For the reference: what `--json` prints, as a TypeScript type. */
  readonly json?: string
  /** For the reference: the scope that a token needs. */
  readonly scope?: string
  /** For the reference: what its exit codes mean besides those that all commands have. */
  readonly exits?: Readonly<Record<number, string>>
  /** What the shell offers in place of the first argument. */
  readonly choices?: readonly string[]
}

export type CountRange = { readonly fallback: number; readonly min?: number; readonly max: number }

/** The whole number of an option. @throws UsageError */
export function countOf(
  { text }: Pick<CommandInput, 'text'>,
  name: string,
  { fallback, min = 1, max }: CountRange,
): number {
  const given = text(name)
  if (given === undefined) return fallback
  const count = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN
  if (count >= min && count <= max) return count
  throw new UsageError(`--${name} is a whole number from ${min} to ${max}`)
}

/** The two slugs of `ORG/PROJECT`. */
export function readProjectPath(text: string): readonly [org: string, project: string] {
  const [org, project, ...more] = text.split('/')
  if (org && project && more.length === 0) return [org, project]
  throw new UsageError('name the project as ORG/PROJECT, such as acme/shop')
}

/** The one with the most words that fit: `issues` alone does not hide `issues list`. */
export function findCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { command: Command; rest: string[] } | undefined {
  let found: { command: Command; rest: string[] } | undefined
  let length = 0
  for (const command of commands)
    for (const words of [command.words, command.formerWords ?? []])
      if (words.length > length && words.every((word, index) => argv[index] === word)) {
        length = words.length
        found = { command, rest: argv.slice(length) }
      }
  return found
}

/** Those that begin with all of the words: of `issues` each command of issues. Empty: there is no such thing. */
export function commandsUnder(commands: readonly Command[], words: readonly string[]): readonly Command[] {
  if (words.length === 0) return []
  return commands.filter((command) => words.every((word, index) => command.words[index] === word))
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
    texts: (name) => [parsed.values[name] ?? []].flat().filter((value) => typeof value === 'string'),
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

/** What one command does, and its options. */
export function commandHelp({ words, usage, help, options }: Command): string {
  const names = Object.entries(options).map(
    ([name, { type }]) => `  --${name}${type === 'string' ? ' …' : ''}`,
  )
  const width = Math.max(0, ...names.map((name) => name.length))
  const lines = Object.values(options).map(({ about = '' }, index) =>
    `${(names[index] ?? '').padEnd(width)}  ${about}`.trimEnd(),
  )
  const head = `${help.charAt(0).toUpperCase()}${help.slice(1)}.`
  return [
    'sonde ' + [...words, usage].join(' ').trim(),
    '',
    head,
    ...(lines.length ? ['', ...lines] : []),
  ].join('\n')
}

/** A line for each command, without what follows its words. */
export function shortHelpText(commands: readonly Command[], footer: string): string {
  const names = commands.map(({ words }) => `  sonde ${words.join(' ')}`)
  const width = Math.max(...names.map((name) => name.length))
  const lines = commands.map(
    ({ help }, index) => `${(names[index] ?? '').padEnd(width)}  ${firstClause(help)}`,
  )
  return ['Sonde: errors, traces and real-user performance, self-hosted.', '', ...lines, '', footer, ''].join(
    '\n',
  )
}

/** What stands before a colon or a semicolon; the rest is in the help of the command. */
const firstClause = (help: string): string => help.split(/[:;]/, 1)[0] ?? help

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

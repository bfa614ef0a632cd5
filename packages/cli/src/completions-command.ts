/** `sonde completions bash|zsh|fish`: a script for the shell, which asks `sonde complete -- …` for what fits. */
import { RootCommand } from '@bomb.sh/tab'
import { type Command, type CommandInput, UsageError } from './arguments.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

export function writeScript({ positionals }: CommandInput): Promise<number> {
  const shell = SHELLS.find((one) => one === positionals[0])
  if (shell === undefined) throw new UsageError(`sonde completions ${SHELLS.join('|')}`)
  new RootCommand().setup('sonde', 'sonde', shell)
  return Promise.resolve(0)
}

/** Prints what could stand next, as the scripts read it. `words`: what stands behind `sonde`, the last one unfinished. */
export function complete(commands: readonly Command[], words: readonly string[]): void {
  const root = new RootCommand()
  const known = new Set<string>()
  for (const { words: name, help, options, choices } of commands) {
    // `issues` alone, so that `issues list` is found word by word.
    name.slice(0, -1).forEach((_, index) => {
      const prefix = name.slice(0, index + 1).join(' ')
      if (!known.has(prefix)) root.command(prefix, '')
      known.add(prefix)
    })
    known.add(name.join(' '))
    const command = root.command(name.join(' '), help)
    if (choices) command.argument('what', (offer) => choices.forEach((choice) => offer(choice, '')))
    for (const [option, { type, about = '', choices: values = [] }] of Object.entries(options))
      if (type === 'boolean') command.option(option, about)
      else command.option(option, about, (offer) => values.forEach((value) => offer(value, '')))
  }
  root.parse([...words])
}

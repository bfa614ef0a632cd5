/** A password that nobody else on this machine reads: arguments stand in the list of processes and in the shell's history. */
import { type CommandInput, note, readSecret, UsageError } from '@sonde/cli'

export const PASSWORD_OPTIONS = {
  'password-stdin': { type: 'boolean' },
  password: { type: 'string' },
} as const

/**
 * From standard input with `--password-stdin`: asked for without an echo at a terminal, else its first line. Undefined
 * when none is given. Throws `UsageError`.
 */
export async function readPassword({ text, flag }: CommandInput): Promise<string | undefined> {
  const given = text('password')
  if (flag('password-stdin')) {
    if (given !== undefined) throw new UsageError('--password and --password-stdin cannot go together')
    return readSecret({ name: 'Password', option: '--password-stdin', maxChars: 1_000 })
  }
  if (given !== undefined)
    note('A password in the arguments can be read in the list of processes; use --password-stdin instead.')
  return given
}

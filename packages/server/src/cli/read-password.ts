/** A password that nobody else on this machine reads: arguments stand in the list of processes and in the shell's history. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { type CommandInput, note, prompt, UsageError } from '@sonde/cli'

export const PASSWORD_OPTIONS = {
  'password-stdin': { type: 'boolean' },
  password: { type: 'string' },
} as const

/** More is no password, and perhaps a file that somebody named by mistake. */
const MAX_CHARS = 1_000

/**
 * From standard input with `--password-stdin`: asked for without an echo at a terminal, else its first line. Undefined
 * when none is given. Throws `UsageError`.
 */
export async function readPassword({ text, flag }: CommandInput): Promise<string | undefined> {
  const given = text('password')
  if (flag('password-stdin')) {
    if (given !== undefined) throw new UsageError('--password and --password-stdin cannot go together')
    const read = process.stdin.isTTY ? await ask('Password: ') : await firstLine(process.stdin)
    if (read === '') throw new UsageError('--password-stdin: no password came in')
    return read
  }
  if (given !== undefined)
    note('A password in the arguments can be read in the list of processes; use --password-stdin instead.')
  return given
}

async function ask(question: string): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silence, terminal: true })
  const stopped = new Promise<never>((_resolve, reject) => {
    lines.once('SIGINT', () => reject(new UsageError('no password was typed')))
    lines.once('close', () => reject(new UsageError('no password was typed')))
  })
  prompt(question)
  try {
    return await Promise.race([lines.question(''), stopped])
  } finally {
    stopped.catch(() => undefined)
    lines.close()
    note('')
  }
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    text += String(chunk)
    if (text.includes('\n')) break
    if (text.length > MAX_CHARS)
      throw new UsageError(`--password-stdin: a line of at most ${MAX_CHARS} characters`)
  }
  return text.split('\n', 1)[0]?.replace(/\r$/, '') ?? ''
}

/** A secret that nobody else on this machine reads: arguments stand in the list of processes and in the shell's history. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from './arguments.ts'
import { note, prompt } from './print.ts'

export type SecretOptions = {
  /** `Password`, for the question at a terminal. */
  readonly name: string
  /** What says that it comes from standard input, for errors: `--password-stdin`. */
  readonly option: string
  /** More is no such secret, and perhaps a file that somebody named by mistake. */
  readonly maxChars: number
}

/** From standard input: asked for without an echo at a terminal, else its first line. @throws UsageError when none came. */
export async function readSecret(options: SecretOptions): Promise<string> {
  const { name, option } = options
  const read = process.stdin.isTTY
    ? await ask(`${name}: `, name.toLowerCase())
    : await firstLine(process.stdin, options)
  if (read === '') throw new UsageError(`${option}: no ${name.toLowerCase()} came in`)
  return read
}

async function ask(question: string, what: string): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silence, terminal: true })
  const stopped = new Promise<never>((_resolve, reject) => {
    lines.once('SIGINT', () => reject(new UsageError(`no ${what} was typed`)))
    lines.once('close', () => reject(new UsageError(`no ${what} was typed`)))
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

async function firstLine(input: NodeJS.ReadStream, { option, maxChars }: SecretOptions): Promise<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    text += String(chunk)
    if (text.includes('\n')) break
    if (text.length > maxChars) throw new UsageError(`${option}: a line of at most ${maxChars} characters`)
  }
  return text.split('\n', 1)[0]?.replace(/\r$/, '') ?? ''
}

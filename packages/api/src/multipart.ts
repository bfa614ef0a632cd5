/**
 * The files of a multipart form, one after the other, each whole in memory and no more than one. When something is wrong
 * the rest of the request is still read: clients listen for the answer only after they have sent everything.
 */
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { SondeError } from '@sonde/base'
import type { ApiContext } from './api-context.ts'
import { boundedBody } from './json-body.ts'

export type FormFile = { readonly field: string; readonly fileName: string; readonly bytes: Buffer }
export type Form = { readonly fields: ReadonlyMap<string, readonly string[]> }

export type FormLimits = {
  readonly requestBytes: number
  readonly fileBytes: number
  readonly files: number
  /** Anything that is no file. */
  readonly fields: number
}

/**
 * `take` gets each file; the next one is read when it resolves. `enter` is waited for before a file is read into memory,
 * and what it returns is called when that is over. Throws `SondeError` (`invalid`), and what they throw.
 */
export async function readForm(
  c: ApiContext,
  limits: FormLimits,
  take: (file: FormFile) => Promise<void>,
  enter: () => Promise<() => void> = async () => () => undefined,
): Promise<Form> {
  const tooLarge = (): SondeError => invalid(`a request has at most ${limits.requestBytes} bytes`)
  const body = boundedBody(c, limits.requestBytes, tooLarge)
  const form = openForm(c, limits)
  const fields = new Map<string, string[]>()
  let failure: { readonly error: unknown } | undefined
  let turn = Promise.resolve()
  const open = new Set<BusboyFileStream>()

  const handle = async (field: string, stream: BusboyFileStream, fileName: string): Promise<void> => {
    if (failure) return
    const leave = await enter()
    try {
      const pieces: Buffer[] = []
      for await (const piece of stream) pieces.push(piece as Buffer)
      if (stream.truncated) throw invalid(`a file has at most ${limits.fileBytes} bytes`)
      await take({ field, fileName, bytes: Buffer.concat(pieces) })
    } finally {
      leave()
    }
  }
  form.on('file', (field: string, stream: BusboyFileStream, fileName: string) => {
    // The form's own error says it.
    stream.on('error', () => undefined)
    open.add(stream)
    turn = turn
      .then(() => handle(field, stream, fileName))
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .finally(() => {
        open.delete(stream)
        stream.resume()
      })
  })
  form.on('field', (field: string, value: string) => {
    fields.set(field, [...(fields.get(field) ?? []), value])
  })
  form.on('error', (error: Error) => {
    failure ??= { error: invalid(`the form cannot be read: ${error.message.slice(0, 100)}`) }
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    form.on(limit, () => {
      failure ??= { error: invalid(`a form has at most ${limits.files} files and ${limits.fields} fields`) }
    })
  const finished = new Promise<void>((resolve) => {
    form.once('finish', resolve)
    form.once('error', () => resolve())
  })

  try {
    for await (const piece of body) {
      if (failure || form.write(piece)) continue
      await Promise.race([new Promise((resolve) => form.once('drain', resolve)), finished])
    }
    form.end()
    await finished
  } catch (error) {
    failure = { error }
    // Nothing more comes: whoever reads one of them must not wait for it.
    for (const stream of open) stream.destroy(new Error('the request ended'))
  }
  await turn
  if (failure) throw failure.error
  return { fields }
}

function openForm(c: ApiContext, limits: FormLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': c.req.header('content-type') ?? '' },
      limits: {
        fileSize: limits.fileBytes,
        files: limits.files,
        fields: limits.fields,
        // Also those that are neither.
        parts: limits.files + limits.fields,
        fieldSize: 4_096,
        headerPairs: 50,
        headerSize: 8_192,
      },
    })
  } catch (error) {
    throw invalid(`a multipart form is needed: ${(error as Error).message}`)
  }
}

const invalid = (message: string): SondeError =>
  new SondeError('invalid', message, { operation: 'read a form' })

/** What the commands about uploads share: the errors of their input are texts, as the uploading tools print them. */
import { SondeError } from '@sonde/base'
import type { z } from 'zod'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../invalid-input.ts'
import type { Uploads } from './start-uploads.ts'

/** Throws `SondeError` (`unavailable`) when this Sonde takes no uploads. */
export function uploadsOf({ uploads }: CommandDeps): Uploads {
  if (uploads) return uploads
  throw new SondeError('unavailable', 'uploads are not taken here', { operation: 'upload' })
}

/** Throws `SondeError` (`invalid`), never `InvalidInput`: tools read `detail`. */
export function readUploadInput<Schema extends z.ZodType>(
  operation: string,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  try {
    return readInput(operation, schema, input)
  } catch (error) {
    throw error instanceof InvalidInput ? textOf(error) : error
  }
}

/** The same for a job that reads input of its own. */
export async function withText<Result>(job: Promise<Result>): Promise<Result> {
  return await job.catch((error: unknown) => {
    throw error instanceof InvalidInput ? textOf(error) : error
  })
}

const textOf = (error: InvalidInput): SondeError =>
  new SondeError('invalid', error.message, { operation: error.operation })

import { SondeError } from '@sonde/base'
import { InvalidInput } from './invalid-input.ts'

/**
 * What access says about a password or code, as errors beside the field that holds it. `names`: the form's own names
 * for access's subjects. Everything else is thrown on.
 */
export async function asFieldError<T>(
  operation: string,
  names: Readonly<Record<string, string>>,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const subject = refusedSubject(error)
    if (subject === undefined) throw error
    throw new InvalidInput(operation, { [names[subject] ?? subject]: [(error as Error).message] })
  }
}

const SUBJECTS: ReadonlySet<string> = new Set(['currentPassword', 'password', 'code'])

function refusedSubject(error: unknown): string | undefined {
  if (!(error instanceof SondeError)) return undefined
  const { kind, subject } = error
  if (kind !== 'forbidden' && kind !== 'invalid' && kind !== 'unavailable') return undefined
  return subject !== undefined && SUBJECTS.has(subject) ? subject : undefined
}

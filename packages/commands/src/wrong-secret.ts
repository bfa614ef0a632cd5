import { SondeError, UnavailableError } from '@sonde/base'
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
    const isAboutInput =
      error instanceof UnavailableError ||
      (error instanceof SondeError && (error.kind === 'forbidden' || error.kind === 'invalid'))
    if (!isAboutInput || error.subject === undefined) throw error
    throw new InvalidInput(operation, { [names[error.subject] ?? error.subject]: [error.message] })
  }
}

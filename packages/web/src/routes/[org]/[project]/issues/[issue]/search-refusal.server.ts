/** A search that cannot be understood is answered beside its field, never with an error page. */
import { SearchError } from '@sonde/queries'

export type Refusal = { readonly message: string; readonly hint?: string }

export async function orRefusal<T>(
  ask: () => Promise<T>,
): Promise<{ readonly value?: T; readonly refusal?: Refusal }> {
  try {
    return { value: await ask() }
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    return { refusal: { message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) } }
  }
}

import type { FieldErrors } from '@sonde/commands'
import type { ShownSetup } from './shown-setup.ts'

/** What a form of the account page is answered with, unless it leads elsewhere. Secrets are in it this once. */
export type AccountAnswer = {
  /** The form that was posted: when it was refused, its own fields only are marked. */
  readonly form: string
  readonly fields: FieldErrors
  readonly madeToken?: { readonly name: string; readonly token: string }
  readonly setup?: ShownSetup
  readonly backupCodes?: readonly string[]
}

import { useActionData, useTyped } from '@sonde/router'
import type { RefusedForm } from './posted-fields.ts'

type Answer = () => Promise<RefusedForm>

export type FormState = {
  readonly isRefused: boolean
  readonly errorOf: (field: string) => string | undefined
  /** What was typed before this form was refused, otherwise what is stored. */
  readonly valueOf: (field: string, stored: string) => string
  readonly isTicked: (field: string, stored: boolean) => boolean
}

/** Of one form among several on the page: another one's refusal does not touch it. */
export function useFormState(form: string): FormState {
  const answer = useActionData<Answer>()
  const typed = useTyped()
  const isRefused = answer?.form === form && answer.fields !== undefined
  return {
    isRefused,
    errorOf: (field) => (isRefused ? answer.fields[field]?.join('; ') : undefined),
    valueOf: (field, stored) => (isRefused ? (typed(field) ?? stored) : stored),
    isTicked: (field, stored) => (isRefused ? typed(field) !== undefined : stored),
  }
}

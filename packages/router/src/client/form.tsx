/** A form that works without JavaScript; with it, the page stays and only its data is exchanged. */
import { type ComponentProps, type ReactNode, type SubmitEvent, useRef, useState } from 'react'
import { useLocation, useRuntime } from './hooks.ts'
import { pathOf } from './location.ts'

export type FormProps = Omit<ComponentProps<'form'>, 'action' | 'method'> & {
  /** Where to post; default the current page. */
  readonly action?: string
  /** `get` puts the fields into the query and navigates. Default `post`. */
  readonly method?: 'get' | 'post'
  /** Said inside the form when a post got no answer; null says nothing. */
  readonly failure?: ReactNode
}

const DEFAULT_FAILURE =
  'The server could not be reached. What you typed is still here; check whether it was saved, then try again.'

export function Form({
  action,
  method = 'post',
  failure = DEFAULT_FAILURE,
  onSubmit,
  children,
  ...rest
}: FormProps) {
  const { post, navigate } = useRuntime()
  const here = pathOf(useLocation())
  const target = action ?? here
  const isNative = useRef(false)
  const [failed, setFailed] = useState(false)
  const underWay = useRef(new Set<string>())

  const send = async (form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> => {
    const fields = new FormData(form, submitter)
    const content = contentOf(fields)
    // A double click says nothing twice.
    if (underWay.current.has(content)) return
    underWay.current.add(content)
    setFailed(false)
    const { pathname, search } = new URL(target, window.location.href)
    const outcome = await post({ url: pathname + search, form: fields }).finally(() =>
      underWay.current.delete(content),
    )
    if (outcome === 'failed') setFailed(true)
    else if (outcome === 'other-build') {
      isNative.current = true
      form.requestSubmit(submitter)
    } else if (outcome === 'done' && form.isConnected) form.reset()
    else if (outcome === 'refused') form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    onSubmit?.(event)
    if (event.defaultPrevented || isNative.current) return
    const form = event.currentTarget
    const { submitter } = event.nativeEvent as unknown as { submitter: HTMLElement | null }
    event.preventDefault()
    if (method === 'post') void send(form, submitter)
    else void navigate(`${target.split('?')[0]}?${queryOf(new FormData(form, submitter))}`)
  }

  return (
    <form {...rest} action={target} method={method} onSubmit={submit}>
      {children}
      {failed && failure !== null && <p role="alert">{failure}</p>}
    </form>
  )
}

const contentOf = (form: FormData): string =>
  JSON.stringify(
    [...form].map(([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value.name, value.size, value.lastModified],
    ),
  )

function queryOf(form: FormData): string {
  const query = new URLSearchParams()
  for (const [name, value] of form) if (typeof value === 'string') query.append(name, value)
  return query.toString()
}

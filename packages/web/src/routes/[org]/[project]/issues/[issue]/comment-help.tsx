import type { CommentNode } from '@sonde/commands'
import type { MentionChoice } from '@sonde/queries'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useState } from 'react'
import { useJson } from '../../../../../shell/use-json.ts'
import { CommentText } from './comment-text.tsx'

type Props = {
  readonly field: RefObject<HTMLTextAreaElement | null>
  /** Address of the people and teams for what was typed, such as `@ad`. */
  readonly mentions: (typed: string) => string
  /** Address that answers what a text would look like. */
  readonly preview: string
}

/** A name that is being typed, up to the caret. */
const TYPED = /(?:^|[^\w@#/&])([@#][\w.+-]{0,64})$/

type Typed = { readonly text: string; readonly at: number }

export type PreviewedComment = { readonly nodes: readonly CommentNode[] }

/** Suggestions for names while they are typed (a combobox of the ARIA practices, on a field of several lines), and the preview. */
export default function CommentHelp({ field, mentions, preview }: Props): ReactNode {
  const listId = useId()
  const [typed, setTyped] = useState<Typed>()
  const [active, setActive] = useState(0)
  const { data } = useJson<readonly MentionChoice[]>(typed && mentions(typed.text), 80)
  const choices = typed && Array.isArray(data) ? data : []
  const previewed = usePreview(field, preview)
  const isOpen = choices.length > 0

  const look = useEffectEvent(() => {
    const { current } = field
    if (!current) return
    const before = current.value.slice(0, current.selectionStart)
    const [, text] = TYPED.exec(before.slice(-80)) ?? []
    setActive(0)
    setTyped(text === undefined ? undefined : { text, at: before.length - text.length })
  })
  const accept = useEffectEvent((choice: MentionChoice | undefined) => {
    const { current } = field
    if (!current || !typed || !choice) return
    current.setRangeText(`${choice.handle} `, typed.at, current.selectionStart, 'end')
    current.focus()
    setTyped(undefined)
  })
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      field.current?.form?.requestSubmit()
      return
    }
    if (!isOpen) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setActive((at) => (at + step + choices.length) % choices.length)
    else if (event.key === 'Enter' || event.key === 'Tab') accept(choices[active])
    else if (event.key === 'Escape') setTyped(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    const { current } = field
    if (!current) return undefined
    const listening = new AbortController()
    const { signal } = listening
    current.addEventListener('input', () => look(), { signal })
    current.addEventListener('keydown', (event) => press(event), { signal })
    // Without the list the buttons below stand elsewhere, and a press that began on one would end beside it.
    let isPressed = false
    const closeLater = (): void => {
      setTimeout(() => {
        isPressed = false
        if (document.activeElement !== current) setTyped(undefined)
      })
    }
    current.addEventListener('blur', () => isPressed || closeLater(), { signal })
    window.addEventListener('pointerdown', () => (isPressed = true), { signal, capture: true })
    for (const end of ['pointerup', 'pointercancel'])
      window.addEventListener(end, closeLater, { signal, capture: true })
    current.setAttribute('aria-autocomplete', 'list')
    // What was typed while this was on its way.
    const first = requestAnimationFrame(() => look())
    return () => {
      cancelAnimationFrame(first)
      listening.abort()
    }
  }, [field])
  useEffect(() => {
    const { current } = field
    if (!current) return
    if (isOpen) {
      current.setAttribute('aria-controls', listId)
      current.setAttribute('aria-activedescendant', `${listId}-${active}`)
    } else {
      current.removeAttribute('aria-controls')
      current.removeAttribute('aria-activedescendant')
    }
  }, [field, listId, isOpen, active])

  return (
    <>
      {isOpen && (
        <ul className="mention-list" id={listId} role="listbox" aria-label="People and teams">
          {choices.map((choice, index) => (
            <li
              key={choice.handle}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              // Before the field loses the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                accept(choice)
              }}
            >
              <bdi>{choice.name}</bdi> <span className="muted">{choice.hint || choice.handle}</span>
            </li>
          ))}
        </ul>
      )}
      <span className="sr-only" role="status">
        {isOpen && `${choices.length} suggestions, arrow keys choose`}
      </span>
      {previewed && (
        <section className="comment-preview" aria-label="Preview" aria-live="polite">
          <CommentText nodes={previewed.nodes} mine={[]} />
        </section>
      )}
    </>
  )
}

/** The button "Preview" of the field's form asks for it instead of posting the form. Gone when the text is sent. */
function usePreview(field: Props['field'], address: string): PreviewedComment | undefined {
  const [previewed, setPreviewed] = useState<PreviewedComment>()
  useEffect(() => {
    const form = field.current?.form
    if (!form) return undefined
    const listening = new AbortController()
    const { signal } = listening
    const ask = async (): Promise<void> => {
      const body = new URLSearchParams({ text: field.current?.value ?? '' })
      const answer = await fetch(address, { method: 'POST', body, signal }).catch(() => undefined)
      if (answer?.ok) setPreviewed((await answer.json()) as PreviewedComment)
    }
    const press = (event: MouseEvent): void => {
      const { target } = event
      if (!(target instanceof HTMLButtonElement) || target.name !== 'preview') return
      event.preventDefault()
      void ask()
    }
    form.addEventListener('click', press, { signal })
    form.addEventListener('reset', () => setPreviewed(undefined), { signal })
    return () => listening.abort()
  }, [field, address])
  return previewed
}

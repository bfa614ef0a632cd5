import { useEffect, useRef } from 'react'
import type { CodeLine } from './frame-groups.ts'
import { colourLines, type PieceKind } from './syntax/colour-lines.ts'
import type { Language } from './syntax/languages.ts'

/** Longer lines are minified code, which nobody reads in full here. */
const MAX_LINE = 500

const CLASSES: Readonly<Record<PieceKind, string>> = {
  comment: 'tok-c',
  string: 'tok-s',
  number: 'tok-n',
  keyword: 'tok-k',
}

type Props = { readonly lines: readonly CodeLine[]; readonly language: Language | undefined }

/** Source around a call. Scrolls sideways rather than wrapping: indentation is how code is read. */
export function CodeContext({ lines, language }: Props) {
  const texts = lines.map(({ text }) => (text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)} …` : text))
  const coloured = colourLines(texts, language)
  const place = useRef<HTMLOListElement>(null)
  useEffect(() => (place.current ? watchWidth(place.current) : undefined), [])
  return (
    <ol ref={place} className="code" dir="ltr">
      {lines.map(({ number, isCurrent }, index) => (
        <li
          key={index}
          className={isCurrent ? 'code-current' : undefined}
          aria-current={isCurrent || undefined}
        >
          <span className="code-number">{number ?? ''}</span>
          <code>
            {coloured[index]?.map(({ text, kind }, piece) =>
              kind === undefined ? (
                text
              ) : (
                <span key={piece} className={CLASSES[kind]}>
                  {text}
                </span>
              ),
            )}
          </code>
        </li>
      ))}
    </ol>
  )
}

/** What scrolls is a stop for the keyboard; what does not is none. */
function watchWidth(element: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0
    else element.removeAttribute('tabindex')
  })
  observer.observe(element)
  return () => observer.disconnect()
}

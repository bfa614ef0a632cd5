import type { Frame } from '@sonde/protocol/event'
import { useEffect, useRef } from 'react'
import { KeyValues } from '../../ui/key-values.tsx'
import { titleOf } from '../../ui/user-text.tsx'
import { FrameWhy } from './doctor/doctor-notes.tsx'
import { type CodeLine, codeLines, frameFunction, frameLocation } from './frame-groups.ts'
import { LazyFold } from './lazy-fold.tsx'
import { NativeMarks } from './native-frame.tsx'
import { type Block, type Language, languageOf } from './syntax/languages.ts'

/** Longer lines are minified code, which nobody reads in full here. */
const MAX_LINE = 500

const CLASSES: Readonly<Record<PieceKind, string>> = {
  comment: 'tok-c',
  string: 'tok-s',
  number: 'tok-n',
  keyword: 'tok-k',
}

type CodeContextProps = { readonly lines: readonly CodeLine[]; readonly language: Language | undefined }

/** Source around a call. Scrolls sideways rather than wrapping: indentation is how code is read. */
function CodeContext({ lines, language }: CodeContextProps) {
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

const MAX_LOCATION = 90
const MAX_FUNCTION = 160

type Props = {
  readonly frame: Frame
  readonly platform: string
  readonly isOpen: boolean
  /** Its code is on the page before it is opened. */
  readonly isEager: boolean
}

/** One call. With code or variables it unfolds; the application's own are open from the start. */
export function FrameLine({ frame, platform, isOpen, isEager }: Props) {
  const lines = codeLines(frame)
  const vars = Object.entries(frame.vars ?? {})
  const className = frame.in_app ? 'frame frame-ours' : 'frame'
  if (lines.length === 0 && vars.length === 0) {
    return (
      <div className={`${className} frame-bare`}>
        <FrameName frame={frame} />
      </div>
    )
  }
  return (
    <LazyFold className={className} isOpen={isOpen} isEager={isEager} summary={<FrameName frame={frame} />}>
      {() => (
        <>
          {typeof frame.data?.['sourcemap'] === 'string' && (
            <p className="frame-map">
              {' '}
              Symbolicated with <bdi>{frame.data['sourcemap']}</bdi>
            </p>
          )}
          {lines.length > 0 && <CodeContext lines={lines} language={languageOf(frame, platform)} />}
          {vars.length > 0 && (
            <LazyFold
              className="frame-vars"
              isOpen={lines.length === 0}
              isEager={isOpen}
              summary={`${vars.length} local ${vars.length === 1 ? 'variable' : 'variables'}`}
            >
              {() => <KeyValues caption={`Variables of ${frameFunction(frame)}`} rows={vars} />}
            </LazyFold>
          )}
        </>
      )}
    </LazyFold>
  )
}

function FrameName({ frame }: { readonly frame: Frame }) {
  const name = frameFunction(frame)
  const location = frameLocation(frame)
  const whole = [frame.abs_path, frame.module, frame.package].filter((part) => part !== undefined).join('\n')
  return (
    <span className="frame-name">
      <bdi className="frame-function" title={titleOf(name)}>
        {name.length > MAX_FUNCTION ? `${name.slice(0, MAX_FUNCTION)}…` : name}
      </bdi>
      {location !== '' && (
        <bdi className="frame-location" title={titleOf(whole === '' ? location : whole)}>
          {shortenPath(location, MAX_LOCATION)}
        </bdi>
      )}
      <NativeMarks frame={frame} />
      <FrameWhy frame={frame} />
      {!frame.in_app && <span className="frame-kind">library</span>}
    </span>
  )
}

/**
 * Cuts lines of code into coloured pieces: comments, strings, numbers, keywords. Lines come from the middle of a file,
 * so what began before the first line is not known; what begins within them goes on over the next ones.
 */
type PieceKind = 'comment' | 'string' | 'number' | 'keyword'
export type Piece = { readonly text: string; readonly kind: PieceKind | undefined }

/** One list per line; joined, the texts of a line are the line. Linear in the length of the text. */
export function colourLines(lines: readonly string[], language: Language | undefined): Piece[][] {
  if (!language) return lines.map((text) => (text === '' ? [] : [{ text, kind: undefined }]))
  let inside: Block | undefined
  return lines.map((line) => {
    const coloured = colourLine(line, language, inside)
    inside = coloured.inside
    return coloured.pieces
  })
}

function colourLine(line: string, language: Language, before: Block | undefined) {
  const pieces: Piece[] = []
  const add = (text: string, kind: PieceKind | undefined): void => {
    const last = pieces.at(-1)
    if (text === '') return
    // Neighbours of one colour are one piece: fewer elements on the page.
    if (last && last.kind === kind) pieces[pieces.length - 1] = { text: last.text + text, kind }
    else pieces.push({ text, kind })
  }
  let inside = before
  let at = 0
  while (at < line.length) {
    if (inside) {
      const end = closeOf(line, at, inside)
      add(line.slice(at, end ?? line.length), inside.kind)
      if (end === undefined) break
      at = end
      inside = undefined
      continue
    }
    language.tokens.lastIndex = at
    const found = language.tokens.exec(line)
    if (!found) {
      add(line.slice(at), undefined)
      break
    }
    add(line.slice(at, found.index), undefined)
    const [text] = found
    at = found.index + text.length
    const { b, c, s, n } = found.groups ?? {}
    if (b !== undefined) {
      inside = language.blocks.find(({ open }) => open === b)
      add(text, inside?.kind)
    } else add(text, kindOf(c, s, n) ?? (language.keywords.has(text) ? 'keyword' : undefined))
  }
  return { pieces, inside }
}

function kindOf(c: string | undefined, s: string | undefined, n: string | undefined): PieceKind | undefined {
  if (c !== undefined) return 'comment'
  if (s !== undefined) return 'string'
  return n === undefined ? undefined : 'number'
}

/** Behind the end of the block; undefined when it goes on in the next line. */
function closeOf(line: string, from: number, { close, kind }: Block): number | undefined {
  for (let at = line.indexOf(close, from); at >= 0; at = line.indexOf(close, at + 1)) {
    if (kind === 'comment' || line[at - 1] !== '\\') return at + close.length
  }
  return undefined
}

/** Names that are too long for their place. CSS cuts at the end; of a path the end is what tells. */

/** Keeps the end of a path: `…/checkout/cart.ts`. At most `max` characters. */
export function shortenPath(path: string, max: number): string {
  if (path.length <= max) return path
  const tail = path.slice(path.length - max + 1)
  const slash = tail.search(/[/\\]/)
  return `…${slash >= 0 && slash < tail.length / 2 ? tail.slice(slash) : tail}`
}

/** Where functions of generated code begin and end, and where in it their names stand. */
import { ARROW, scanTokens, SUBSTITUTION, type TokenSink } from './scan-tokens.ts'

export type FoundFunction = {
  /** Of `function`, the name of a method, or the parameters of an arrow. */
  readonly start: number
  /** Behind the last letter of the body. */
  readonly end: number
  /** Its own name, or that of what it is assigned to; -1: neither. */
  readonly nameStart: number
  readonly nameEnd: number
  /** Behind the opening parenthesis of what the word `function` begins; -1: of methods and arrows. */
  readonly parametersStart: number
}

const code = (letter: string): number => letter.charCodeAt(0)
const OPEN_PAREN = code('(')
const CLOSE_PAREN = code(')')
const OPEN_BRACE = code('{')
const CLOSE_BRACE = code('}')
const OPEN_BRACKET = code('[')
const CLOSE_BRACKET = code(']')
const COMMA = code(',')
const SEMICOLON = code(';')
const COLON = code(':')
const EQUALS = code('=')
const DOT = code('.')
const QUESTION = code('?')

const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'with'])
/** What an expression may follow, so that a `/` begins a regular expression and a `{` an object. */
const BEFORE_EXPRESSION = new Set(
  'return typeof case in of delete void throw new instanceof await yield else do extends default'.split(' '),
)
const BLOCK_KEYWORDS = new Set(['else', 'do', 'try', 'finally'])

/** Before a method's name. */
const MODIFIERS = new Set(['async', 'get', 'set', 'static'])
const MEMBER_BEGINS = new Set([OPEN_BRACE, CLOSE_BRACE, SEMICOLON, COMMA, code('*')])

const WORD = -1
const LITERAL = -2
const NOTHING = -3

type Token = { readonly kind: number; readonly start: number; readonly end: number }
const NO_TOKEN: Token = { kind: NOTHING, start: -1, end: -1 }
const NO_NAME = { nameStart: -1, nameEnd: -1 }

// Code that tools write has some hundreds; deeper is meant to take time.
const MAX_DEPTH = 10_000
const TOO_DEEP = new Error('too deep')

/** A function whose body has not begun. */
type Head = Omit<FoundFunction, 'end' | 'parametersStart'> & Partial<Pick<FoundFunction, 'parametersStart'>>
type Open = {
  readonly kind:
    | 'paren'
    | 'bracket'
    | 'block'
    | 'object'
    | 'class'
    | 'substitution'
    | 'condition'
    | 'arrow'
    | 'function'
  readonly start: number
  readonly head: Head | undefined
  /** Of parentheses: `if (…)` and the like. */
  readonly isControl: boolean
  /** Of parentheses: what an arrow after them would be. */
  readonly arrow?: Head
}

/** What ends without a sign of its own: by the end of what is around it, by `,` or `;`. */
const isOpenEnded = (open: Open | undefined): boolean => open?.kind === 'arrow' || open?.kind === 'condition'

/** In the order of their ends. Never throws; of code with unbalanced or too many open brackets, what was found so far. */
export function findFunctions(text: string): FoundFunction[] {
  const found: FoundFunction[] = []
  const stack: Open[] = []
  // The last four tokens, newest first.
  let last = NO_TOKEN
  let second = NO_TOKEN
  let third = NO_TOKEN
  let fourth = NO_TOKEN
  /** `function` that was read, until its parentheses. */
  let pending: Head | undefined
  /** `class` was read with so many brackets open; the next brace there begins its body. */
  let pendingClass: number | undefined
  let closedParen: Open | undefined
  let closedBrace: Open | undefined
  let atArrow: Head | undefined
  let lastEndAt = 0
  /** Was the last `:` behind a label or a `case`? Then a statement follows. */
  let isLabel = false

  const begin = (each: Open): void => {
    if (stack.length === MAX_DEPTH) throw TOO_DEEP
    stack.push(each)
  }
  const wordOf = ({ kind, start, end }: Token): string =>
    kind === WORD && end - start < 12 ? text.slice(start, end) : ''
  const push = (token: Token): void => {
    fourth = third
    third = second
    second = last
    last = token
  }
  /** What a function expression that begins after these two tokens is called: `name =`, `name:`. */
  const assigned = (operator: Token, name: Token): Pick<Head, 'nameStart' | 'nameEnd'> =>
    (operator.kind === EQUALS || operator.kind === COLON) && name.kind === WORD
      ? { nameStart: name.start, nameEnd: name.end }
      : NO_NAME
  const finish = ({ head }: Open, end: number): void => {
    if (head) found.push({ parametersStart: -1, ...head, end })
  }
  /** An arrow's body that is an expression ends before this. */
  const endArrows = (): void => {
    while (isOpenEnded(stack.at(-1))) finish(stack.pop()!, lastEndAt)
  }
  /** Of `a ? b : c`; an arrow in `b` ends here, one around it does not. */
  const endCondition = (): boolean => {
    let at = stack.length - 1
    while (stack[at]?.kind === 'arrow') at--
    const isCondition = stack[at]?.kind === 'condition'
    // Without one it is `case a => b:`; were arrows left open, thousands of them would be walked over at each `:`.
    while (stack.length > at + (isCondition ? 0 : 1)) finish(stack.pop()!, lastEndAt)
    return isCondition
  }
  const close = (start: number): Open | undefined => {
    endArrows()
    const open = stack.pop()
    if (open?.kind === 'function') finish(open, start + 1)
    return open
  }
  /** An arrow that no `{` follows has an expression as its body. */
  const beginExpression = (): void => {
    if (atArrow) begin({ kind: 'arrow', start: atArrow.start, head: atArrow, isControl: false })
    atArrow = undefined
  }

  /** `delete(key) {` of a class or an object: any word may be the name of a method. */
  const isMemberName = (): boolean => {
    const around = stack.at(-1)?.kind
    if (last.kind !== WORD || (around !== 'class' && around !== 'object')) return false
    return MEMBER_BEGINS.has(second.kind) || MODIFIERS.has(wordOf(second))
  }
  const openParen = (start: number): void => {
    const isMember = isMemberName()
    const before = isMember ? '' : wordOf(last)
    const isControl = CONTROL.has(before) || (before === 'await' && wordOf(second) === 'for')
    const isAsync = wordOf(last) === 'async'
    let head: Head | undefined
    if (pending) head = { ...pending, parametersStart: start + 1 }
    else if (!isControl && last.kind === WORD && !BEFORE_EXPRESSION.has(before) && (isMember || !isAsync))
      // `name(…) {` can be a method only; without the brace it is a call.
      head = { start: last.start, nameStart: last.start, nameEnd: last.end }
    else if (last.kind === LITERAL || last.kind === CLOSE_BRACKET) head = { start: last.start, ...NO_NAME }
    pending = undefined
    const arrow: Head = {
      start: isAsync ? last.start : start,
      ...(isAsync ? assigned(second, third) : assigned(last, second)),
    }
    begin({ kind: 'paren', start, head, isControl, arrow })
  }
  /** The head of an arrow whose parameters ended just now, or are one name. */
  const arrowHead = (start: number): Head => {
    // No parameters: no JavaScript.
    if (last.kind !== WORD && last.kind !== CLOSE_PAREN) return { start, ...NO_NAME }
    if (last.kind === WORD || !closedParen) {
      const isAsync = wordOf(second) === 'async'
      return {
        start: isAsync ? second.start : last.start,
        ...(isAsync ? assigned(third, fourth) : assigned(second, third)),
      }
    }
    return closedParen.arrow ?? { start: closedParen.start, ...NO_NAME }
  }

  const openBrace = (start: number): void => {
    const head =
      atArrow ?? (last.kind === CLOSE_PAREN && !closedParen?.isControl ? closedParen?.head : undefined)
    atArrow = undefined
    const isBlock =
      head !== undefined ||
      (last.kind === COLON && isLabel) ||
      [CLOSE_PAREN, SEMICOLON, OPEN_BRACE, CLOSE_BRACE, NOTHING, ARROW].includes(last.kind) ||
      (last.kind === WORD && (BLOCK_KEYWORDS.has(wordOf(last)) || !BEFORE_EXPRESSION.has(wordOf(last))))
    const isClass = !head && pendingClass === stack.length
    if (isClass) pendingClass = undefined
    const kind = head ? 'function' : isClass ? 'class' : isBlock ? 'block' : 'object'
    begin({ kind, start, head, isControl: false })
  }

  const sink: TokenSink = {
    word(start, end) {
      beginExpression()
      const word = end - start === 8 ? text.slice(start, end) : ''
      if (word === 'function' && last.kind !== DOT) {
        const isAsync = wordOf(last) === 'async'
        const from = isAsync ? last.start : start
        pending = { start: from, ...(isAsync ? assigned(second, third) : assigned(last, second)) }
      } else if (end - start === 5 && text.startsWith('class', start) && last.kind !== DOT)
        pendingClass = stack.length
      else if (pending) pending = { start: pending.start, nameStart: start, nameEnd: end }
      push({ kind: WORD, start, end })
      lastEndAt = end
    },
    literal(start, end) {
      beginExpression()
      push({ kind: LITERAL, start, end })
      lastEndAt = end
    },
    beginsRegex() {
      if (last.kind === WORD) return BEFORE_EXPRESSION.has(wordOf(last)) && second.kind !== DOT
      if (last.kind === CLOSE_PAREN) return closedParen?.isControl === true
      if (last.kind === CLOSE_BRACE) return closedBrace?.kind === 'block'
      return last.kind !== LITERAL && last.kind !== CLOSE_BRACKET
    },
    endsSubstitution() {
      let at = stack.length - 1
      while (isOpenEnded(stack[at])) at--
      return stack[at]?.kind === 'substitution'
    },
    punctuation(kind, start) {
      if (kind === OPEN_BRACE) openBrace(start)
      else {
        beginExpression()
        if (kind === OPEN_PAREN) openParen(start)
        else if (kind === OPEN_BRACKET) begin({ kind: 'bracket', start, head: undefined, isControl: false })
        else if (kind === SUBSTITUTION)
          begin({ kind: 'substitution', start, head: undefined, isControl: false })
        else if (kind === CLOSE_PAREN) closedParen = close(start)
        else if (kind === CLOSE_BRACE) closedBrace = close(start)
        else if (kind === CLOSE_BRACKET) close(start)
        else if (kind === COMMA || kind === SEMICOLON) endArrows()
        else if (kind === QUESTION) begin({ kind: 'condition', start, head: undefined, isControl: false })
        else if (kind === COLON) {
          isLabel = !endCondition() && stack.at(-1)?.kind !== 'object'
          // It was a key.
          if (wordOf(last) === 'class') pendingClass = undefined
        } else if (kind === ARROW) atArrow = arrowHead(start)
      }
      push({ kind, start, end: start + 1 })
      lastEndAt = start + 1
    },
  }
  try {
    scanTokens(text, sink)
    endArrows()
  } catch (error) {
    if (error !== TOO_DEEP) throw error
  }
  return found
}

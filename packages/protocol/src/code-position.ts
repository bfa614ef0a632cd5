/** A place in a script as a browser names it, and what it is in the source. */
import type { FrameProblem } from './event/frame-problem.ts'

/** Lines and columns count from 1; `character` counts UTF-16 code units of the whole file from 0. */
export type CodePosition = {
  readonly projectId: number
  /** Where the script was loaded from. */
  readonly url: string
  /** Lower case with hyphens. */
  readonly debugId?: string
  readonly release?: string
  readonly dist?: string
  readonly at:
    | { readonly line: number; readonly column: number }
    | { readonly character: number }
    /** Where it is declared, among what was bundled into the script. */
    | ComponentName
    | StyleText
}

export type ComponentName = {
  readonly component: string
  /** Name of its file without folders; empty: not known. */
  readonly file: string
}

/** Of a style sheet: where its sources name this text, as `hero.jpg`. Empty: the one source that it has. */
export type StyleText = { readonly styleText: string }

export type SourcePosition =
  | {
      readonly ok: true
      /** As people call it: `src/cart/recalc.ts`. */
      readonly source: string
      readonly line: number
      readonly column: number
      readonly functionName?: string
      readonly contextLine?: string
      readonly isInApp: boolean
    }
  | { readonly ok: false; readonly problem: FrameProblem; readonly detail?: string }

/** Answers in the order of what it was asked. */
export type ResolvePositions = (positions: readonly CodePosition[]) => Promise<readonly SourcePosition[]>

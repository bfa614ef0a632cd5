import type { ReactNode } from 'react'

type Tone = 'neutral' | 'quiet' | 'good' | 'bad' | 'attention'

export function Badge({
  tone = 'neutral',
  title,
  children,
}: {
  tone?: Tone
  title?: string
  children: ReactNode
}) {
  return (
    <span className={`badge badge-${tone}`} title={title}>
      {children}
    </span>
  )
}

/** A level by colour and by word: colour alone tells nothing to many people. */
const LEVELS: ReadonlySet<string> = new Set(['debug', 'info', 'warning', 'error', 'fatal'])

/** For class names: whatever else is stored looks like an error. */
export function levelClass(level: string): string {
  return `level-${LEVELS.has(level) ? level : 'error'}`
}

export function Level({ level }: { readonly level: string }) {
  return <span className={`level ${levelClass(level)}`}>{level}</span>
}

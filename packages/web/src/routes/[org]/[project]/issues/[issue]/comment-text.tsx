import type { CommentNode } from '@sonde/commands'
import { createElement, type ReactNode, useState } from 'react'

type Props = { readonly nodes: readonly CommentNode[]; readonly mine: readonly string[] }

/** A comment's tree as elements of the same names: what is not in it cannot be shown. */
export function CommentText({ nodes, mine }: Props) {
  return (
    <div className="comment-text" dir="auto">
      {nodes.map((node, index) => shown(node, index, mine))}
    </div>
  )
}

function shown(node: CommentNode, key: number, mine: readonly string[]): ReactNode {
  if (typeof node === 'string') return node
  const { tag, href, start, mention } = node
  const children = node.children.map((child, index) => shown(child, index, mine))
  if (tag === 'a')
    return (
      <a key={key} href={href} rel="noopener noreferrer nofollow">
        {children}
      </a>
    )
  if (tag === 'mention')
    return (
      <strong key={key} className={mine.includes(mention ?? '') ? 'mention mention-me' : 'mention'}>
        {mention?.startsWith('@') && '@'}
        {children}
      </strong>
    )
  if (tag === 'br' || tag === 'hr') return createElement(tag, { key })
  return createElement(tag, { key, ...(start !== undefined && { start }) }, children)
}

/** A long one folds; its address unfolds it too, where there are no scripts. */
export function FoldedComment({
  id,
  isLong,
  ...text
}: Props & { readonly id: number; readonly isLong: boolean }) {
  const [isWhole, setWhole] = useState(false)
  if (!isLong || isWhole) return <CommentText {...text} />
  return (
    <>
      <div className="comment-cut">
        <CommentText {...text} />
      </div>
      <a
        className="comment-whole"
        href={`#comment-${id}`}
        onClick={(event) => {
          event.preventDefault()
          setWhole(true)
        }}
      >
        Show whole comment
      </a>
    </>
  )
}

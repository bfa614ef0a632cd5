import { Link } from '@sonde/router'
import { paths } from '../../paths.ts'
import { UserText } from '../../ui/user-text.tsx'
import type { ScriptText, UnreadableText } from './script-text.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly script: ScriptText
  /** The narrowest of what is known alone, with the rest as its title. */
  readonly isShort?: boolean
}

/** Where a script's code was written; else what the browser told of it, and why that is all. */
export function ScriptPlace({ org, project, script, isShort = false }: Props) {
  const { place, functionName, code, reported, unreadable } = script
  const [first = '', ...rest] = place === '' ? reported : [place, ...reported]
  if (isShort)
    return (
      <span title={[...rest, unreadable?.sentence].filter(Boolean).join('\n')}>
        <span className="vital-code">{first}</span> <bdi className="vital-code muted">{functionName}</bdi>
      </span>
    )
  return (
    <>
      <UserText text={first} className="vital-code" />{' '}
      {functionName !== '' && <UserText text={functionName} className="vital-code" />}
      {code !== '' && (
        <span className="script-detail">
          <UserText text={code} className="vital-code muted" />
        </span>
      )}
      {rest.length > 0 && (
        <span className="script-detail">
          <UserText text={rest.join(' · ')} className="muted" />
        </span>
      )}
      {unreadable && <UnreadableNote org={org} project={project} unreadable={unreadable} />}
    </>
  )
}

type NoteProps = Pick<Props, 'org' | 'project'> & { readonly unreadable: UnreadableText }

/** Short, with the whole reason as its title, and where the next step is told. */
export function UnreadableNote({ org, project, unreadable: { short, sentence } }: NoteProps) {
  return (
    <span className="script-detail">
      <span className="muted" title={sentence}>
        No source map: {short}.
      </span>{' '}
      <Link to={paths.sourceMaps(org, project)} prefetch="none">
        Source maps
      </Link>
    </span>
  )
}

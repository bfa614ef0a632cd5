import { MIN_RATED_VISITS } from '@sonde/queries/contract'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { formatShare } from '../../../../format/format-count.ts'
import { UnreadableNote } from '../../../../parts/scripts/script-place.tsx'
import { fewText, vitalText, vitalTitle } from '../../../../parts/vitals/vital-words.ts'
import { paths } from '../../../../paths.ts'
import { UserText } from '../../../../ui/user-text.tsx'
import type { ReasonShown } from './load-reasons.server.ts'
import { withChoice } from './vital-choice.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly reasons: readonly ReasonShown[]
}

/** What the vitals mostly come from, a sentence each. */
export function VitalReasons({ org, project, reasons }: Props) {
  if (reasons.length === 0) return null
  const isStock = reasons.some(({ kind, script }) => kind === 'element' && script === '')
  const isUnnamed = reasons.some(
    ({ kind, component }) =>
      kind !== 'script' && kind !== 'first_byte' && kind !== 'style' && component === '',
  )
  return (
    <section aria-label="Main causes" className="vital-reasons">
      <ul>
        {reasons.map((reason) => (
          <Reason key={`${reason.name} ${reason.route}`} org={org} project={project} reason={reason} />
        ))}
      </ul>
      {isStock && (
        <p className="muted">
          Some of these page views tell only the element. Sonde’s reporter also tells the script that ran and
          what the time was spent on.
        </p>
      )}
      {isUnnamed && (
        <p className="muted">
          To see components and their files, turn on the component annotation of your bundler plugin (
          <code>reactComponentAnnotation</code>) and upload source maps.
        </p>
      )}
    </section>
  )
}

function Reason({ org, project, reason }: Omit<Props, 'reasons'> & { readonly reason: ReasonShown }) {
  const { name, route, p75, samples, share, owners, since, unreadable } = reason
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <li>
      <Link
        to={pathname + withChoice(params, { vital: name, route })}
        prefetch="none"
        title={samples < MIN_RATED_VISITS ? fewText(samples) : undefined}
      >
        <strong>
          {vitalTitle(name)} p75 {vitalText(name, p75)}
        </strong>{' '}
        on <UserText text={route} className="vital-code" />
      </Link>
      : <strong className="num">{formatShare(share, 1)}</strong> <Cause reason={reason} />
      {owners.length > 0 && (
        <>
          , <UserText text={owners.join(', ')} />
        </>
      )}
      {since && (
        <>
          , {since.before > 0 && 'more '}since{' '}
          <Link
            to={paths.release(org, project, since.release)}
            prefetch="none"
            title={`Mean of a page view: ${vitalText(name, since.before)} before, ${vitalText(name, since.after)} since`}
          >
            <UserText text={since.release} />
          </Link>
        </>
      )}
      {unreadable && <UnreadableNote org={org} project={project} unreadable={unreadable} />}
    </li>
  )
}

function Cause({ reason }: { readonly reason: ReasonShown }): ReactNode {
  const { kind, name, resource, component, element, place, functionName, script, styleSheet, late } = reason
  const what = component !== '' ? <Component name={component} file={place} /> : <Code text={element} />
  switch (kind) {
    case 'script':
      if (place === '')
        return (
          <>
            in <Code text={functionName === '' ? script : `${functionName}() ${script}`} />
          </>
        )
      return (
        <>
          in <Code text={place} /> {functionName !== '' && <Code text={functionName} />}
        </>
      )
    case 'load':
      return (
        <>
          waits for <Code text={resource} />
          {styleSheet !== '' && (
            <>
              , set in <Code text={styleSheet} />
            </>
          )}
          {(component !== '' || element !== '') && <> shown by {what}</>}
        </>
      )
    case 'first_byte':
      return 'waits for the first byte of the page'
    case 'render':
      return <>passes between what was loaded and the rendering of {what}</>
    case 'style':
      return (
        <>
          waits for the style sheet <Code text={styleSheet} />
        </>
      )
    case 'shift':
      return (
        <>
          by {what}
          {late !== '' && (
            <>
              , right after <Code text={late} /> came
            </>
          )}
        </>
      )
    default:
      if (name === 'inp') return <>in interactions with {what}</>
      return (
        <>
          in page views that paint {resource !== '' && <Code text={resource} />}
          {resource !== '' && (component !== '' || element !== '') && ' of '}
          {(component !== '' || element !== '') && what} last
        </>
      )
  }
}

const Code = ({ text }: { readonly text: string }) => <UserText text={text} className="vital-code" />

/** The file is unknown where no source map tells it. */
const Component = ({ name, file }: { readonly name: string; readonly file: string }) => (
  <>
    <Code text={name} />
    {file !== '' && (
      <>
        {' '}
        in <Code text={file} />
      </>
    )}
  </>
)

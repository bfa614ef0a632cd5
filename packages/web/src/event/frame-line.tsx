import type { Frame } from '@sonde/protocol/event'
import { shortenPath } from '../format/format-path.ts'
import { KeyValues } from '../ui/key-values.tsx'
import { titleOf } from '../ui/user-text.tsx'
import { CodeContext } from './code-context.tsx'
import { codeLines, frameFunction, frameLocation } from './frame-groups.ts'

const MAX_LOCATION = 90
const MAX_FUNCTION = 160

/** One call. With code or variables it unfolds; the application's own are open from the start. */
export function FrameLine({ frame, isOpen }: { readonly frame: Frame; readonly isOpen: boolean }) {
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
    <details className={className} open={isOpen}>
      <summary>
        <FrameName frame={frame} />
      </summary>
      {lines.length > 0 && <CodeContext lines={lines} />}
      {vars.length > 0 && (
        <details className="frame-vars" open={lines.length === 0}>
          <summary>
            {vars.length} local {vars.length === 1 ? 'variable' : 'variables'}
          </summary>
          <KeyValues caption={`Variables of ${frameFunction(frame)}`} rows={vars} />
        </details>
      )}
    </details>
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
      {!frame.in_app && <span className="frame-kind">library</span>}
    </span>
  )
}

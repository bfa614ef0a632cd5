import type { VitalPart, VitalParts as Parts } from '@sonde/queries'
import { countOf } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { SplitBar } from '../../../../parts/split-bar.tsx'

/** What each part is, and what shortens it. */
const WORDS: Readonly<Record<VitalPart, { readonly name: string; readonly about: string }>> = {
  time_to_first_byte: { name: 'First byte', about: 'until the server began to answer' },
  resource_load_delay: { name: 'Load delay', about: 'until the picture was asked for' },
  resource_load_duration: { name: 'Loading', about: 'until the picture was there' },
  element_render_delay: {
    name: 'Render delay',
    about: 'until it was painted: scripts and styles in the way',
  },
  input_delay: { name: 'Input delay', about: 'until the page could react: other scripts ran' },
  processing_duration: { name: 'Processing', about: 'the page’s own handlers' },
  presentation_delay: { name: 'Presentation', about: 'until the result was painted' },
}

/** Where the time of a visit goes that is as slow as the 75th percentile. */
export function VitalParts({ parts, samples, toldBy }: Parts) {
  const longest = parts.reduce((a, b) => (b.ms > a.ms ? b : a))
  const label = parts.map(({ part, ms }) => `${WORDS[part].name} ${formatDuration(ms)}`).join(', ')
  return (
    <div className="vital-parts">
      <p>
        Mostly <strong>{WORDS[longest.part].name.toLowerCase()}</strong>: {formatDuration(longest.ms)}{' '}
        <span className="muted">
          on average of {countOf(samples, 'visit')} about as slow as the 75th percentile, of{' '}
          {countOf(toldBy, 'visit')} that told their parts
        </span>
      </p>
      <SplitBar
        label={label}
        parts={parts.map(({ ms }, index) => ({ className: `vital-part-${index}`, value: ms }))}
      />
      <dl>
        {parts.map(({ part, ms }, index) => (
          <div key={part}>
            <dt>
              <svg viewBox="0 0 1 1" className="vital-part-key" aria-hidden="true">
                <rect className={`vital-part-${index}`} width="1" height="1" />
              </svg>{' '}
              {WORDS[part].name}
            </dt>
            <dd>
              <span className="num">{formatDuration(ms)}</span>{' '}
              <span className="muted">{WORDS[part].about}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

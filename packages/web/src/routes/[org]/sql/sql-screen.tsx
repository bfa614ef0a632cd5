import { Form } from '@sonde/router'
import type { SqlExample, SqlTable } from '@sonde/queries'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ExploreNav } from '../../../parts/explore/explore-nav.tsx'
import { SqlEditor } from './sql-editor.tsx'
import { SqlExamples } from './sql-examples.tsx'
import { type ShownAnswer, SqlResult } from './sql-result.tsx'
import { SqlRefusalNote } from './sql-refusal-note.tsx'
import { SqlSchema } from './sql-schema.tsx'
import type { SqlRefusal } from './load-sql.server.ts'

type Props = {
  readonly org: string
  /** In the field: of the address, or what was run. */
  readonly q: string
  readonly isOn: boolean
  readonly maySwitch: boolean
  readonly maxChars: number
  readonly tables: readonly SqlTable[]
  readonly examples: readonly SqlExample[]
  readonly answer?: ShownAnswer | undefined
  readonly refusal?: SqlRefusal | undefined
}

/** A read-only console over the rows of the organization's projects. */
export function SqlScreen({ org, q, isOn, maySwitch, maxChars, tables, examples, answer, refusal }: Props) {
  return (
    <div className="page page-wide">
      <div className="explore-head">
        <h1 className="sr-only">SQL</h1>
        <ExploreNav org={org} project={undefined} here="sql" />
        <p className="muted">ClickHouse SQL over what this organization sent; nothing can be changed.</p>
      </div>
      {isOn ? (
        <div className="sql-columns">
          <div className="sql-main">
            <SqlEditor
              key={q}
              org={org}
              q={q}
              maxChars={maxChars}
              isRefused={refusal !== undefined}
              refusedAt={refusal?.at}
            />
            {q !== '' && !answer && !refusal && (
              <p className="muted" role="status">
                This statement came with the address and was not run. Read it, then press Run.
              </p>
            )}
            {refusal && <SqlRefusalNote q={q} refusal={refusal} />}
            {answer && <SqlResult org={org} q={q} answer={answer} />}
            {q === '' && <SqlExamples org={org} examples={examples} />}
          </div>
          <SqlSchema tables={tables} />
        </div>
      ) : (
        <EmptyState title="The SQL console is switched off">
          <p>
            {maySwitch
              ? 'Nobody in this organization can run statements.'
              : 'An owner of this organization switched it off, and can switch it on again.'}
          </p>
        </EmptyState>
      )}
      {maySwitch && (
        <details className="fold sql-switch">
          <summary>Who may use this</summary>
          <p className="muted">
            Everybody who may read all events of the organization. Each run is noted in the audit log with its
            text.
          </p>
          <Form>
            <input type="hidden" name="console" value={isOn ? 'off' : 'on'} />
            <button type="submit" className="button">
              {isOn ? 'Switch the console off' : 'Switch the console on'}
            </button>
          </Form>
        </details>
      )}
    </div>
  )
}

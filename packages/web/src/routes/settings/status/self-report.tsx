import { Form, Link } from '@sonde/router'
import { paths } from '../../../paths.ts'
import type { SelfReportState } from '../../../server/self-report.server.ts'
import { Section } from '../../../ui/section.tsx'

/** Sonde watches its own screens; here an operator says whether it may. */
export function SelfReport({ state }: { readonly state: SelfReportState }) {
  return (
    <Section id="self-report" title="Self-monitoring">
      {state.kind === 'setting' && <p>Disabled for this installation by SONDE_SELF_REPORT=off.</p>}
      {state.kind === 'reachable' && (
        <p>
          Disabled because other machines can reach this installation and SONDE_SELF_REPORT is auto.
          SONDE_SELF_REPORT=on enables it, and everyone who signs in then receives a client key of the
          receiving project.
        </p>
      )}
      {state.kind === 'no-project' && <p>Disabled because the receiving project was deleted.</p>}
      {(state.kind === 'on' || state.kind === 'off') && (
        <Form action={paths.selfReport()} className="self-report">
          <p>
            {state.kind === 'on'
              ? 'Errors and performance of these screens are reported to '
              : 'Paused. Reports would go to '}
            <Link to={paths.issues(state.org, state.project)}>
              {state.org}/{state.project}
            </Link>
            . Reports stay in this installation and contain no names, URLs or search terms.
          </p>
          <input type="hidden" name="report" value={state.kind === 'on' ? 'off' : 'on'} />
          <button type="submit" className="button">
            {state.kind === 'on' ? 'Pause reporting' : 'Resume reporting'}
          </button>
        </Form>
      )}
    </Section>
  )
}

import { Form, Link } from '@sonde/router'
import { paths } from '../../../paths.ts'
import type { SelfReportState } from '../../../server/self-report.server.ts'
import { Section } from '../../../ui/section.tsx'

/** Sonde watches its own screens; here an operator says whether it may. */
export function SelfReport({ state }: { readonly state: SelfReportState }) {
  return (
    <Section id="self-report" title="Reports of these screens">
      {state.kind === 'setting' && (
        <p>Switched off for this installation: SONDE_SELF_REPORT is off. Nothing is reported.</p>
      )}
      {state.kind === 'reachable' && (
        <p>
          Switched off, because other machines can reach this Sonde and SONDE_SELF_REPORT is auto. With
          SONDE_SELF_REPORT=on everybody who signs in gets a key of the project that takes the reports.
        </p>
      )}
      {state.kind === 'no-project' && <p>The project that took them was deleted. Nothing is reported.</p>}
      {(state.kind === 'on' || state.kind === 'off') && (
        <Form action={paths.selfReport()} className="self-report">
          <p>
            {state.kind === 'on'
              ? 'Errors and slow pages of Sonde itself go to '
              : 'Nothing is reported. They would go to '}
            <Link to={paths.issues(state.org, state.project)}>
              {state.org}/{state.project}
            </Link>
            , in this installation and nowhere else: without names, addresses or what was searched for.
          </p>
          <input type="hidden" name="report" value={state.kind === 'on' ? 'off' : 'on'} />
          <button type="submit" className="button">
            {state.kind === 'on' ? 'Stop reporting' : 'Report again'}
          </button>
        </Form>
      )}
    </Section>
  )
}

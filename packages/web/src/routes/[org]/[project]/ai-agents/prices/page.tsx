import '../../../../../parts/forms/settings.css'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { SavedNotice } from '../../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { paths } from '../../../../../paths.ts'
import { LinesField } from '../../../../../ui/lines-field.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Prices · AI agents · Sonde'

export default function Prices() {
  const { org, project } = useParams<'org' | 'project'>()
  const { prices, mayWrite } = usePageData<typeof load>()
  const { errorOf, valueOf } = useFormState('ai-prices')
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>
          <Link to={paths.aiAgents(org, project)}>AI agents</Link> <span className="muted">prices</span>
        </h1>
      </div>
      <SavedNotice />
      <p>
        A cost that an SDK sends is shown as sent. For calls without one, cost is tokens times these prices.
        Sonde has no prices of its own, because they change. What is shown for the past changes with them.
      </p>
      <Form className="settings-form" key={prices}>
        <fieldset className="settings-fields" disabled={!mayWrite}>
          <legend className="sr-only">Prices of models</legend>
          <LinesField
            id="prices"
            name="prices"
            label="Prices per million tokens"
            hint="One model per line: name, input, output, and cached input if it costs less. The first line that matches decides; * matches any text. Example: gpt-4o* 2.5 10 1.25"
            defaultValue={valueOf('prices', prices)}
            error={errorOf('prices')}
          />
          {mayWrite && (
            <button type="submit" className="button button-primary">
              Save prices
            </button>
          )}
        </fieldset>
      </Form>
    </div>
  )
}

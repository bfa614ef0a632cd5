import { Form } from '@sonde/router'
import { LinesField } from './lines-field.tsx'
import { Tick } from '../../../../parts/forms/tick.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'

export type Filters = {
  readonly browserExtensions: boolean
  readonly localhost: boolean
  readonly crawlers: boolean
  readonly releases: readonly string[]
  readonly messages: readonly string[]
}

export type FilterFormProps = { readonly filters: Filters; readonly mayWrite: boolean }

/** What is dropped at arrival. Counted as filtered, never stored. */
export function FilterForm({ filters, mayWrite }: FilterFormProps) {
  const { errorOf, isTicked, valueOf } = useFormState('filters')
  return (
    <Form className="settings-form" key={JSON.stringify(filters)}>
      <fieldset className="settings-fields" disabled={!mayWrite}>
        <legend className="sr-only">Inbound filters</legend>
        <input type="hidden" name="form" value="filters" />
        <Tick name="browserExtensions" isOn={isTicked('browserExtensions', filters.browserExtensions)}>
          Browser extension errors
        </Tick>
        <Tick name="localhost" isOn={isTicked('localhost', filters.localhost)}>
          Events from localhost
        </Tick>
        <Tick name="crawlers" isOn={isTicked('crawlers', filters.crawlers)}>
          Known web crawlers
        </Tick>
        <LinesField
          id="filter-releases"
          name="releases"
          label="Releases"
          hint="One pattern per line. * matches any text, ? one character. Example: shop@1.*"
          defaultValue={valueOf('releases', filters.releases.join('\n'))}
          error={errorOf('releases')}
        />
        <LinesField
          id="filter-messages"
          name="messages"
          label="Messages"
          hint="One pattern per line. Example: ResizeObserver loop* or *: Load failed"
          defaultValue={valueOf('messages', filters.messages.join('\n'))}
          error={errorOf('messages')}
        />
        {mayWrite && (
          <button type="submit" className="button button-primary">
            Save filters
          </button>
        )}
      </fieldset>
    </Form>
  )
}

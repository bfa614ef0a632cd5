import type { TriedCron } from './try-cron.server.ts'
import { UpcomingList } from './upcoming-list.tsx'

/** What the form's schedule comes to: in words, and the next runs. */
export function SchedulePreview({ tried }: { readonly tried: TriedCron | 'unreached' }) {
  return (
    <section className="cron-preview" aria-labelledby="cron-preview-title" aria-live="polite">
      <h2 id="cron-preview-title">Next runs</h2>
      {tried === 'unreached' ? (
        <p className="field-error">Sonde does not answer. The preview comes when it does.</p>
      ) : tried.schedule ? (
        <>
          <p>{tried.schedule.words}</p>
          <UpcomingList runs={tried.schedule.runs} zone={tried.schedule.zone} />
        </>
      ) : (
        <ul>
          {Object.entries(tried.fields).map(([field, problems]) => (
            <li key={field} className="field-error">
              {NAMES[field] ?? field} {problems.join('; ')}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const NAMES: Readonly<Record<string, string>> = {
  crontab: 'Crontab',
  every: 'Every',
  unit: 'Unit',
  timezone: 'Time zone',
  checkinMargin: 'Missed after',
  maxRuntime: 'Timed out after',
  failureIssueThreshold: 'Failing after',
  recoveryThreshold: 'Recovered after',
}

import type { SuspectCommits } from '@sonde/queries'
import { ReleaseLink } from '../../../../../parts/release-link.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { titleOf } from '../../../../../ui/user-text.tsx'

/** What was changed in a file on the stack, in the release that brought the issue. */
export function SuspectList({ release, commits }: SuspectCommits) {
  return (
    <div className="suspects">
      <h2>Probably caused by</h2>
      <ul>
        {commits.map(({ sha, authorName, authorEmail, message, atMs, path, function: name, line }) => (
          <li key={sha}>
            <bdi title={titleOf(message)}>{message.split('\n')[0] || 'no message'}</bdi>
            <span className="muted">
              <bdi title={authorEmail}>{authorName || authorEmail || 'nobody named'}</bdi> <Ago atMs={atMs} />
              , <code title={sha}>{sha.slice(0, 8)}</code>
            </span>
            <code title={name && `${name} stands on the stack`}>
              {path}
              {line && `:${line}`}
            </code>
          </li>
        ))}
      </ul>
      <p className="muted">
        {commits.length === 1 ? 'It' : 'They'} changed a file on the stack in{' '}
        <ReleaseLink release={release} />
      </p>
    </div>
  )
}

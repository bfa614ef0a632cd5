import type { ReleaseCommit } from '@sonde/queries'
import { countOf } from '../../../../../format/format-count.ts'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

/** Newest first: what was changed, by whom, in which files. */
export function ReleaseCommits({ commits }: { readonly commits: readonly ReleaseCommit[] }) {
  return (
    <ol className="release-commits">
      {commits.map((commit) => (
        <li key={`${commit.repository} ${commit.sha}`}>
          <CommitLine {...commit} />
        </li>
      ))}
    </ol>
  )
}

const CHANGES = { A: 'added', M: 'changed', D: 'deleted' } as const

function CommitLine({
  sha,
  repository,
  authorName,
  authorEmail,
  message,
  atMs,
  files,
  fileCount,
}: ReleaseCommit) {
  const [subject = '', ...body] = message.split('\n')
  const rest = body.join('\n').trim()
  return (
    <>
      <p className="commit-subject">
        <code title={sha}>{sha.slice(0, 8)}</code> <UserText text={subject === '' ? 'no message' : subject} />
      </p>
      <p className="commit-meta muted">
        <span title={authorEmail}>
          <UserText text={authorName === '' ? authorEmail || 'nobody named' : authorName} />
        </span>{' '}
        <Ago atMs={atMs} /> in <UserText text={repository} />
      </p>
      {(fileCount > 0 || rest !== '') && (
        <details className="fold">
          <summary>{fileCount > 0 ? countOf(fileCount, 'file') : 'Message'}</summary>
          {rest !== '' && <p className="long-text">{rest}</p>}
          <ul className="commit-files">
            {files.map(({ path, change }) => (
              <li key={path}>
                <span className="muted">{CHANGES[change]}</span> <code>{path}</code>
              </li>
            ))}
            {fileCount > files.length && <li className="muted">and {fileCount - files.length} more</li>}
          </ul>
        </details>
      )}
    </>
  )
}

import '../../../../parts/setup/setup.css'
import { Link } from '@sonde/router'
import { paths } from '../../../../paths.ts'
import { Snippet } from '../../../../ui/snippet.tsx'
import {
  BUNDLERS,
  sentryCliInject,
  sentryCliUpload,
  sondeVerify,
  type UploadPlace,
} from '../../../../parts/upload-commands.ts'

/** From nothing to readable stacks: a token, one way to upload, and how to see that it worked. Folds, so without JavaScript too. */
export function MapSetup({ place }: { readonly place: UploadPlace }) {
  return (
    <ol className="setup-steps">
      <li>
        <h3>Create an auth token</h3>
        <p>
          <Link to={`${paths.account()}#tokens`}>Create a build token</Link> and pass it to your build as{' '}
          <code>SENTRY_AUTH_TOKEN</code>.
        </p>
      </li>
      <li>
        <h3>Upload source maps from your build</h3>
        {BUNDLERS.map(({ id, name, install, file, code }) => (
          <details key={id} className="maps-way" name="maps-way" open={id === 'vite'}>
            <summary>{name}</summary>
            <Snippet code={install} what={`install command for ${name}`} />
            <p className="muted">{file}</p>
            <Snippet code={code(place)} what={`setting for ${name}`} />
          </details>
        ))}
        <details className="maps-way" name="maps-way">
          <summary>sentry-cli, after any bundler</summary>
          <Snippet code={`${sentryCliInject(place)}\n${sentryCliUpload(place)}`} what="sentry-cli commands" />
        </details>
      </li>
      <li>
        <h3>Verify</h3>
        <p>Run in the build folder before you deploy. Exits with 1 if any file can’t be symbolicated.</p>
        <Snippet code={sondeVerify()} what="verify command" />
      </li>
    </ol>
  )
}

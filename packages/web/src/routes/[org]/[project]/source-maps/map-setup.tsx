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
        <h3>Make a token</h3>
        <p>
          <Link to={`${paths.account()}#tokens`}>Make a token for builds</Link>, and give it to the build as{' '}
          <code>SENTRY_AUTH_TOKEN</code>.
        </p>
      </li>
      <li>
        <h3>Upload when the application is built</h3>
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
        <h3>See that it will work</h3>
        <p>
          Before a deployment, in the folder of the build; it ends with 1 when an error would not be readable.
        </p>
        <Snippet code={sondeVerify()} what="verify command" />
      </li>
    </ol>
  )
}

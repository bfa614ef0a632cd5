/** npm's failures in words with a way out. npm prints a code; people need to know what to do. */

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR)\b/
const RULES = [
  {
    matches: /\bENOSPC\b|no space left on device/,
    text: () =>
      'The disk is full. Free about 1 GB (`npm cache clean --force` empties the cache of npm), then run the command again.',
  },
  {
    matches: UNREACHABLE,
    text: (registry) =>
      `The package registry ${registry} cannot be reached. Check the network of this machine and its proxy settings\n` +
      '(HTTPS_PROXY, `npm config get registry`), then run the command again. Without a network: unpack a release\n' +
      'archive that was made elsewhere with `npm run pack` (docs/operate/release-archive.md).',
  },
  {
    matches: /\b(CERT_|SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)|DEPTH_ZERO_SELF_SIGNED)/,
    text: (registry) =>
      `The certificate of the package registry ${registry} is not trusted here. A proxy that reads TLS needs its\n` +
      'certificate in NODE_EXTRA_CA_CERTS or in `npm config set cafile`.',
  },
  {
    matches: /\bE40[13]\b/,
    text: (registry) => `The package registry ${registry} refused: it wants a sign-in (\`npm login\`).`,
  },
  {
    matches: /\b(EACCES|EPERM|EROFS)\b/,
    text: () =>
      'This user may not write here. Give the folder to the user who runs Sonde (`chown -R "$USER" .`), not root rights to Sonde.',
  },
  {
    matches: /\bEINTEGRITY\b/,
    text: () =>
      'A downloaded package is not what package-lock.json expects, so nothing was installed. Empty the cache with\n' +
      '`npm cache clean --force` and try again; if it stays, a proxy or mirror changes packages.',
  },
]

/** `output` is what npm printed. Undefined: nothing that we know; then show the output. */
export function npmFailure(output, registry) {
  return RULES.find(({ matches }) => matches.test(output))?.text(registry)
}

/**
 * Fails on a hook at the top of a file with tests of a package. The files of a package share a process, and there such a
 * hook is everybody's: what it opens is open from the first test of the first file to the last of the last.
 */
const FILE = /^packages\/[^/]+\/test\/.*\.tsx?$/
// The formatter indents whatever stands in a `describe`.
const HOOK = /^(?:void |await )?(before|after|beforeEach|afterEach)\(/

export function checkTestHooks(files: Iterable<{ path: string; text: string }>): string[] {
  const problems: string[] = []
  for (const { path, text } of files) {
    if (!FILE.test(path)) continue
    for (const [index, line] of text.split('\n').entries()) {
      const hook = HOOK.exec(line)?.[1]
      if (hook)
        problems.push(
          `${path}:${index + 1}: ${hook} outside of a describe is run by every file of its package`,
        )
    }
  }
  return problems
}

import { root, runTool } from './run-step.ts';

/**
 * The commit with which the contract must be compatible: the last release tag, or where this branch left `main`. On
 * `main`, the previous commit. Undefined without git history and for the first commit.
 */
export async function findContractBase(folder = root): Promise<string | undefined> {
  const git = async (...args: string[]) => {
    const { passed, output } = await runTool('git', args, { cwd: folder });
    return passed ? output.trim() : undefined;
  };
  const tag = await git('describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD');
  if (tag !== undefined) return git('rev-parse', `${tag}^{commit}`);
  const head = await git('rev-parse', 'HEAD');
  const fork = await git('merge-base', 'HEAD', 'main');
  return fork === undefined || fork === head ? git('rev-parse', '--verify', '--quiet', 'HEAD^') : fork;
}

/** The buf input for the contract at a commit. */
export function contractAt(commit: string, folder = root): string {
  return `${folder}/.git#ref=${commit},subdir=proto`;
}

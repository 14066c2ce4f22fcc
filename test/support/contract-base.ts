import { root, runTool } from './run-step.ts';

/**
 * The commit that the contract may not break with: the last release tag; without one, where this branch left `main`;
 * on `main` itself, the commit before. Undefined when there is no history: a download, or the first commit.
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

/** Where buf reads the contract as it was at a commit. */
export function contractAt(commit: string, folder = root): string {
  return `${folder}/.git#ref=${commit},subdir=proto`;
}

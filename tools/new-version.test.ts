import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@survey/local/stack/folder';
import { expect, it } from 'vitest';

const FILES = [
  'package.json',
  'package-lock.json',
  '*/package.json',
  '*CHANGELOG.md',
  'helm',
  'deploy/trial',
  '.changeset',
];

it('npm run new-version sets one version everywhere, and dates the notes of the platform', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'new-version-'));
  const run = async (command: string, ...args: readonly string[]) =>
    (await promisify(execFile)(command, args, { cwd: folder })).stdout;
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  try {
    const { stdout } = await promisify(execFile)('git', ['ls-files', ...FILES], { cwd: repositoryRoot });
    for (const path of stdout.trim().split('\n')) await cp(join(repositoryRoot, path), join(folder, path));
    await symlink(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, '.gitignore'), 'node_modules\n');
    const changeset = '---\n"@survey/platform": minor\n"@survey/client": patch\n---\n\nAnswers can be sung.\n';
    await writeFile(join(folder, '.changeset/singing.md'), changeset);
    const { version: previous, workspaces } = JSON.parse(await read('package.json'));
    const oldNotes = (await read('CHANGELOG.md')).slice(-200);
    await run('git', 'init', '--quiet');
    await run('git', 'add', '.');
    await run('git', '-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'Begin');

    await run(join(repositoryRoot, 'node_modules/.bin/changeset'), 'version');
    await run(process.execPath, join(repositoryRoot, 'tools/new-version.ts'));

    const { version } = JSON.parse(await read('package.json'));
    const [major, minor] = previous.split('.').map(Number);
    expect(version).toBe(`${major}.${minor + 1}.0`);
    for (const workspace of workspaces) {
      const manifest = JSON.parse(await read(join(workspace, 'package.json')));
      const ours = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
      const versions = ours.flatMap(([name, wanted]) => (name.startsWith('@survey/') ? [wanted] : []));
      expect([manifest.version, ...new Set(versions)].filter((one) => one !== version)).toEqual([]);
    }
    expect(await read('helm/Chart.yaml')).toContain(`\nversion: ${version}\nappVersion: "${version}"\n`);
    expect(await read('helm/examples/production.yaml')).toContain(`tag: ${version}\n`);
    expect(await read('deploy/trial/mongodb.yaml')).toContain(`image: survey-identity:${version}\n`);

    const changelog = await read('CHANGELOG.md');
    const [heading = '', ...notes] = changelog.slice(changelog.indexOf('\n## ') + 1).split('\n');
    expect(heading).toMatch(new RegExp(`^## ${version} - \\d{4}-\\d{2}-\\d{2}$`));
    // The notes of one version, in any order.
    const entries = notes.slice(
      0,
      notes.findIndex((line) => line.startsWith('## ')),
    );
    expect(entries).toContainEqual(expect.stringMatching(/^- (?:[0-9a-f]{7}: )?Answers can be sung\.$/));
    expect(changelog).toContain(oldNotes);
    expect(changelog).not.toContain('## Unreleased');
    expect(await read('lib/client/CHANGELOG.md')).toContain('Answers can be sung.');
    expect(await run('git', 'ls-files', '--others', '--exclude-standard')).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});

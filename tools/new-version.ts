// Completes `changeset version`, which knows only the workspaces. `npm run new-version` runs both, in the root of the
// repository.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const read = (path: string) => readFileSync(path, 'utf8');
const edit = (path: string, change: (text: string) => string) => writeFileSync(path, change(read(path)));
const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8' });

const { version } = JSON.parse(read('helm/package.json'));
const { version: previous } = JSON.parse(read('package.json'));

edit('package.json', (text) => text.replace(`"version": "${previous}"`, `"version": "${version}"`));
const others = ['helm', 'deploy', ':!*/package.json', ':!helm/UPGRADING.md'];
for (const path of git('grep', '-l', '--fixed-strings', previous, '--', ...others)
  .trim()
  .split('\n'))
  edit(path, (text) => text.replaceAll(previous, version));

const notes = read('helm/CHANGELOG.md').split(`## ${version}\n`)[1]?.trim() ?? '';
const date = new Date().toISOString().slice(0, 10);
// The entries of "Unreleased" belong to this version.
edit('CHANGELOG.md', (text) =>
  text.replace(/^(?:## Unreleased\n\n|(?=## ))/m, () => `## ${version} - ${date}\n\n${notes}\n\n`),
);
// Changesets writes a changelog for each workspace.
git('clean', '--force', '--quiet', '--', '*/CHANGELOG.md');

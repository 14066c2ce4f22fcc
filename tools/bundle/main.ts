// `npm run bundle`
import { join } from 'node:path';
import { buildWebApps } from '@survey/local/build-web-apps';
import { runCommandLine, UsageError } from '@survey/local/process/command-line';
import { repositoryRoot } from '@survey/local/stack/folder';
import { bundle, processes } from './bundle.ts';

const USAGE = `usage: npm run bundle [-- [NAME...] [--out FOLDER]]

  Writes a folder with all files of each process, or of those with these names. Images contain such a folder. Builds the
  web apps for that of the gateway.
  NAME is one of ${Object.keys(processes).join(', ')}.
  --out FOLDER  writes FOLDER/NAME instead of .bundles/NAME
`;

await runCommandLine({
  usage: USAGE,
  options: { out: { type: 'string', default: join(repositoryRoot, '.bundles') } },
  allowPositionals: true,
  async run({ positionals, values: { out } }) {
    const unknown = positionals.find((name) => !(name in processes));
    if (unknown !== undefined) throw new UsageError(`no such process: ${unknown}`);
    const names = positionals.length === 0 ? Object.keys(processes) : positionals;
    if (names.includes('gateway')) await buildWebApps((line) => console.error(line));
    for (const [name, bundled] of Object.entries(processes))
      if (names.includes(name)) await bundle(bundled, join(out, name));
  },
});

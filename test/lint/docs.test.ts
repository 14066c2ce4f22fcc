import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/api.md',
  'docs/architecture.md',
  'docs/definitions.md',
  'docs/observability.md',
  'docs/runbook.md',
  'SECURITY.md',
  'docs/webhooks.md',
  'docs/adr/README.md',
  'docs/operations.md',
  'deploy/README.md',
  'deploy/local/README.md',
  'helm/README.md',
];

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Paths of this repository in backticks; those with a placeholder or a wildcard name no file. */
function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`((?:gateway|services|lib|proto|deploy|test|docs)\/[^`\s]*)`/g)];
  return quoted.map(([, path]) => path ?? '').filter((path) => !/[<>*{}…]/.test(path));
}

/** Targets of links that are no addresses, from the page's own folder. */
function links(page: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target]) => target ?? '');
  return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => join(dirname(page), target));
}

describe.each(pages)('%s', (page) => {
  it('names and links only files that exist', async () => {
    const text = await readFile(join(root, page), 'utf8');
    for (const path of [...namedPaths(text), ...links(page, text)]) {
      expect(await exists(join(root, path)), path).toBe(true);
    }
  });
});

describe('the index of decisions', () => {
  it('has every decision with its title', async () => {
    const folder = join(root, 'docs/adr');
    const index = await readFile(join(folder, 'README.md'), 'utf8');
    const files = (await readdir(folder)).filter((name) => /^\d{4}-.*\.md$/.test(name));
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) {
      const [number] = name.split('-');
      const title = /^# \d+\. (.*)/.exec(await readFile(join(folder, name), 'utf8'))?.[1];
      expect(index).toContain(`- [${number}](${name}) ${title}\n`);
    }
  });
});

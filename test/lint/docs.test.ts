import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readShellLines } from '../support/code-blocks.ts';
import { root } from '../support/run-step.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/api.md',
  'docs/architecture.md',
  'docs/glossary.md',
  'docs/import.md',
  'docs/keep-a-copy.md',
  'docs/keys-and-certificates.md',
  'docs/webhook-corner-cases.md',
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
  'lib/questionnaire/README.md',
  'lib/cli/README.md',
  'lib/client/README.md',
  'lib/webhooks/README.md',
];

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Repository paths in backticks, without placeholders and wildcards. */
function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`((?:gateway|services|lib|web|tools|proto|deploy|test|docs)\/[^`\s]*)`/g)];
  return quoted.map(([, path]) => path ?? '').filter((path) => !/[<>*{}…]/.test(path));
}

/** Targets of relative links, resolved from the folder of the page. */
function links(page: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target]) => target ?? '');
  return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => join(dirname(page), target));
}

describe.each(pages)('%s', (page) => {
  it('mentions and links only existing files', async () => {
    const text = await readFile(join(root, page), 'utf8');
    for (const path of [...namedPaths(text), ...links(page, text)]) {
      expect(await exists(join(root, path)), path).toBe(true);
    }
  });
});

const adrFolder = join(root, 'docs/adr');
const adrs = (await readdir(adrFolder)).filter((name) => /^\d{4}-.*\.md$/.test(name)).sort();
const MAX_ADR_WORDS = 300;

/** Head of an ADR: title, date and status. */
const HEAD =
  /^# \d+\. .+\n\nDate: \d{4}-\d{2}-\d{2}\n\nStatus: (?:accepted|superseded by \[\d{4}\]\(\S+\))\n\n## Context\n/;

describe('the index of decisions', () => {
  it('lists every decision with its title, in order', async () => {
    const index = await readFile(join(adrFolder, 'README.md'), 'utf8');
    const lines = await Promise.all(
      adrs.map(async (name) => {
        const title = /^# \d+\. (.*)/.exec(await readFile(join(adrFolder, name), 'utf8'))?.[1];
        return `- [${name.slice(0, 4)}](${name}) ${title}`;
      }),
    );
    expect(index.split('\n').filter((line) => line.startsWith('- ['))).toEqual(lines);
  });
});

describe.each(adrs)('decision %s', (name) => {
  it('has a title with its number, a date, a status, and three parts', async () => {
    const text = await readFile(join(adrFolder, name), 'utf8');
    expect(text).toMatch(HEAD);
    expect(text).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. `));
    expect(text.match(/^## .*/gm)).toEqual(['## Context', '## Decision', '## Consequences']);
  });

  it(`has at most ${MAX_ADR_WORDS} words`, async () => {
    const text = await readFile(join(adrFolder, name), 'utf8');
    expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(MAX_ADR_WORDS);
  });

  it('links only files that exist', async () => {
    const page = `docs/adr/${name}`;
    for (const path of links(page, await readFile(join(root, page), 'utf8'))) {
      expect(await exists(join(root, path)), path).toBe(true);
    }
  });
});

describe('commands of Kafka in the documents', () => {
  it('take credentials, and change nothing of other applications that share Kafka', async () => {
    const commands = (await Promise.all(pages.filter((page) => page.startsWith('docs/')).map(readShellLines)))
      .flat()
      .filter((line) => /^kafka-[a-z-]+\.sh /.test(line));
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) {
      expect(command).toContain('--command-config ');
      expect(command).not.toMatch(/--all-(?:groups|topics)/);
    }
  });
});

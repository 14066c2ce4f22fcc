import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { readShellLines } from '../support/code-blocks.ts';
import { createTenant, type TestTenant, tokenFor } from '../support/platform.ts';

const PAGES = ['docs/runbook.md', 'docs/operations.md', 'docs/keys-and-certificates.md'];
const COMMAND = /^(?:\w+=\S+ )*(?:admin|npm run --silent admin --) ([a-z].*)$/;

/** Commands that print text, that the running services forbid (see `doctor.e2e.test.ts`), or that need a dead letter. */
const EXCEPTIONS = /^doctor$|^offsets reset .* --execute$|^dead-letters discard /;
/** Commands that need Kafka. The tests cannot reach that of a cluster. */
const OF_KAFKA = /^(?:dead-letters|offsets) /;

const lines = (await Promise.all(PAGES.map(readShellLines))).flat();
const commands = [...new Set(lines.flatMap((line) => COMMAND.exec(line)?.slice(1) ?? []))].filter(
  (command) => !EXCEPTIONS.test(command) && (inject('stack').kafka_brokers !== '' || !OF_KAFKA.test(command)),
);
/** The tenant is deleted last. */
const inOrder = [...commands.filter((command) => !isDeletion(command)), ...commands.filter(isDeletion)];

let tenant: TestTenant;
let folder: string;

beforeAll(async () => {
  tenant = await createTenant();
  folder = await mkdtemp(join(tmpdir(), 'survey-admin-'));
  await writeFile(join(folder, 'leaked.txt'), await tokenFor(tenant.tenantId, tenant.userId));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Replaces the placeholders of a documented command. */
function fillIn(command: string): string {
  return command
    .replace(/\bID\b/g, tenant.tenantId)
    .replace(/\bSUB\b/g, tenant.userId)
    .replace(/\bJTI\b/g, randomUUID())
    .replace('/dev/stdin < leaked.txt', join(folder, 'leaked.txt'));
}

function isDeletion(command: string): boolean {
  return command.startsWith('tenant delete');
}

describe('the documented commands of npm run admin', () => {
  it('are found', () => expect(commands.length).toBeGreaterThan(8));

  it.each(inOrder)('%s', async (command) => {
    expect(await admin(...fillIn(command).split(' '))).toBeTypeOf('object');
  });
});

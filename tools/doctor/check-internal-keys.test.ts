import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLERS, ensureKeys, type KeyFiles } from '@survey/local/stack/keys';
import { serviceNames } from '@survey/local/stack/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInternalKeys } from './check-internal-keys.ts';

interface Jwk {
  readonly caller: string;
  readonly [member: string]: unknown;
}

let folder: string;
let keys: KeyFiles;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-internal-keys-'));
  keys = await ensureKeys(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** The problems of all callers with changed public keys, as `subject: detail`. */
async function problemsWith(change: (keys: readonly Jwk[]) => readonly Jwk[]): Promise<readonly string[]> {
  const jwks = JSON.parse(await readFile(keys.internalJwks, 'utf8'));
  const file = join(folder, 'changed.json');
  await writeFile(file, JSON.stringify({ keys: change(jwks.keys) }));
  const callers = Object.keys(CALLERS).map((name) => ({ name, keyFile: keys.internalKeyOf(name) }));
  const findings = await checkInternalKeys(callers, { survey: file, response: file });
  return findings.filter(({ level }) => level === 'problem').map(({ subject, detail }) => `${subject}: ${detail}`);
}

const replace = (caller: string, members: object) => (all: readonly Jwk[]) =>
  all.map((key) => (key.caller === caller ? { ...key, ...members } : key));

describe('the check of internal keys', () => {
  it('finds no problem in the keys of a new stack', async () => {
    expect(await problemsWith((all) => all)).toEqual([]);
  });

  it('finds callers that may not call all their services', async () => {
    expect(await problemsWith(replace('webhook', { may_call: ['survey'] }))).toEqual([
      'internal key of webhook: may not call response, as may_call of its key says',
    ]);
  });

  it('needs in the keys of a service only its callers, with this service', async () => {
    const { keys: all } = JSON.parse(await readFile(keys.internalJwks, 'utf8')) as { readonly keys: readonly Jwk[] };
    const files: Record<string, string> = {};
    for (const service of serviceNames) {
      const file = join(folder, `of-${service}.json`);
      const callers = all.filter(({ caller }) => CALLERS[caller]?.includes(service));
      await writeFile(file, JSON.stringify({ keys: callers.map((key) => ({ ...key, may_call: [service] })) }));
      files[service] = file;
    }
    const callers = Object.keys(CALLERS).map((name) => ({ name, keyFile: keys.internalKeyOf(name) }));
    const isProblem = ({ level }: { readonly level: string }) => level === 'problem';
    expect((await checkInternalKeys(callers, files)).filter(isProblem)).toEqual([]);
    const swapped = await checkInternalKeys(callers, { ...files, response: files['identity'] ?? '' });
    expect(swapped.filter(isProblem).map(({ subject, detail }) => `${subject}: ${detail}`)).toEqual(
      expect.arrayContaining(['internal key of webhook: is not known to response']),
    );
  });

  it('finds another public key and another caller', async () => {
    const other = (JSON.parse(await readFile(keys.internalJwks, 'utf8')).keys as readonly Jwk[]).at(-1);
    expect(await problemsWith(replace('gateway', { x: other?.['x'] }))).toEqual([
      'internal key of gateway: is known to survey, response with another public key or caller',
    ]);
  });

  it.each([
    ['a published secret', replace('import', { kty: 'oct', k: 'c2VjcmV0' }), 'which is no Ed25519 key'],
    ['a published private key', replace('import', { d: 'secret' }), 'contains the private key'],
    ['a key without may_call', replace('import', { may_call: undefined }), 'without kid, caller or may_call'],
    ['an id twice', (all: readonly Jwk[]) => [...all, ...all.slice(0, 1)], 'contains two keys with the id'],
  ])('finds %s once, which makes the file unusable', async (_name, change, detail) => {
    const problems = await problemsWith(change);
    expect(problems).toEqual([expect.stringContaining(detail)]);
    expect(problems[0]).toMatch(/^public keys of survey, response: cannot be used/);
    expect(problems[0]).not.toContain('secret');
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCertificates } from './check-certificates.ts';

const isThere = spawnSync('openssl', ['version']).status === 0;
if (!isThere) console.warn('no openssl on the PATH: the check of certificates is not tested');

let folder: string;
const path = (name: string) => join(folder, name);

/** Creates a certificate with its key. CAs have the same subject unless it is given. */
function create(name: string, { by = '', subject = name, isCa = false, names = '', days = 90 } = {}): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ed25519', '-nodes', '-days', `${days}`, '-subj', `/CN=${subject}`],
      ...['-keyout', path(`${name}.key`), '-out', path(`${name}.crt`)],
      ...['-addext', `basicConstraints=critical,CA:${isCa ? 'TRUE' : 'FALSE'}`],
      ...(names === '' ? [] : ['-addext', `subjectAltName=${names}`]),
      ...(by === '' ? [] : ['-CA', path(`${by}.crt`), '-CAkey', path(`${by}.key`)]),
    ],
    { stdio: 'ignore' },
  );
}

function concatenate(target: string, ...names: readonly string[]): void {
  writeFileSync(path(`${target}.crt`), names.map((name) => readFileSync(path(`${name}.crt`), 'utf8')).join(''));
}

async function problemsOf(certificate: string, ca: string, hosts: readonly string[] = [], key = certificate) {
  const files = { subject: 'it', certificate: path(`${certificate}.crt`), key: path(`${key}.key`) };
  const findings = await checkCertificates([{ ...files, ca: path(`${ca}.crt`), hosts }], () => new Date());
  return findings.filter(({ level }) => level !== 'ok').map(({ detail }) => detail);
}

const afterDays = (days: number) => () => new Date(Date.now() + days * 86_400_000);

describe.skipIf(!isThere)('the check of certificates', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'survey-certificates-'));
    create('ca', { subject: 'CA', isCa: true });
    create('renewed', { subject: 'CA', isCa: true });
    create('intermediate', { by: 'ca', isCa: true });
    create('own', { by: 'ca', names: 'DNS:a-survey-pods,DNS:a-survey,IP:127.0.0.1' });
    create('deep', { by: 'intermediate' });
    create('short', { by: 'ca', days: 1 });
    create('old', { subject: 'CA', isCa: true, days: 1 });
    concatenate('rotated', 'old', 'ca');
    concatenate('chain', 'deep', 'intermediate');
    concatenate('both', 'renewed', 'ca');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('accepts a certificate of the CA, even in a bundle with a new CA', async () => {
    expect(await problemsOf('own', 'ca')).toEqual([]);
    expect(await problemsOf('own', 'both')).toEqual([]);
  });

  it('compares signatures: a renewed CA can have the same subject', async () => {
    expect(await problemsOf('own', 'renewed')).toEqual(['is not issued by ca.crt']);
  });

  it('follows the chain in the file to the CA', async () => {
    expect(await problemsOf('chain', 'ca', [], 'deep')).toEqual([]);
    expect(await problemsOf('deep', 'ca')).toEqual(['is not issued by ca.crt']);
    expect(await problemsOf('chain', 'renewed', [], 'deep')).toEqual(['is not issued by ca.crt']);
  });

  it('compares the certificate with its private key', async () => {
    expect(await problemsOf('own', 'ca', [], 'deep')).toEqual(['belongs to another private key']);
    expect(await problemsOf('own', 'ca', [], 'nothing')).toEqual([expect.stringContaining('ENOENT')]);
  });

  it('warns in time, but not during most of a short life', async () => {
    const levelsOf = async (name: string, clock: () => Date) => {
      const files = { subject: 'it', certificate: path(`${name}.crt`), key: path(`${name}.key`) };
      return (await checkCertificates([files], clock)).map(({ level }) => level);
    };
    expect(await levelsOf('short', afterDays(0.5))).toEqual(['ok']);
    expect(await levelsOf('short', afterDays(0.9))).toEqual(['warning']);
    expect(await levelsOf('own', afterDays(70))).toEqual(['ok']);
    expect(await levelsOf('own', afterDays(80))).toEqual(['warning']);
    expect(await levelsOf('own', afterDays(91))).toEqual(['problem']);
  });

  it('accepts an expired CA beside a valid one', async () => {
    const check = async (name: string, clock = afterDays(0)) =>
      (await checkCertificates([{ subject: 'CA', authorities: path(`${name}.crt`) }], clock)).map(
        ({ level, detail }) => `${level}: ${detail}`,
      );
    expect(await check('rotated')).toEqual(['ok: all 2 are valid']);
    expect(await check('rotated', afterDays(2))).toEqual(['warning: 1 of 2 have expired']);
    expect(await check('old', afterDays(2))).toEqual([expect.stringMatching(/^problem: expired at/)]);
    expect(await check('nothing')).toEqual([expect.stringMatching(/^problem: cannot be used: ENOENT/)]);
  });

  it('compares all host names', async () => {
    expect(await problemsOf('own', 'ca', ['a-survey-pods', 'a-survey', '127.0.0.1'])).toEqual([]);
    expect(await problemsOf('own', 'ca', ['127.0.0.2'])).toEqual(['is not valid for 127.0.0.2']);
    expect(await problemsOf('own', 'ca', ['a-survey-pods', 'b-survey'])).toEqual(['is not valid for b-survey']);
  });
});

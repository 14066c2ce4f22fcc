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
function create(name: string, { by = '', subject = name, isCa = false, names = '' } = {}): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ed25519', '-nodes', '-days', '90', '-subj', `/CN=${subject}`],
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

async function problemsOf(certificate: string, ca: string, hosts: readonly string[] = []): Promise<readonly string[]> {
  const files = { subject: 'it', certificate: path(`${certificate}.crt`), ca: path(`${ca}.crt`), hosts };
  const findings = await checkCertificates([files], () => new Date());
  return findings.filter(({ level }) => level !== 'ok').map(({ detail }) => detail);
}

describe.skipIf(!isThere)('the check of certificates', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'survey-certificates-'));
    create('ca', { subject: 'CA', isCa: true });
    create('renewed', { subject: 'CA', isCa: true });
    create('intermediate', { by: 'ca', isCa: true });
    create('own', { by: 'ca', names: 'DNS:a-survey-pods,DNS:a-survey' });
    create('deep', { by: 'intermediate' });
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
    expect(await problemsOf('chain', 'ca')).toEqual([]);
    expect(await problemsOf('deep', 'ca')).toEqual(['is not issued by ca.crt']);
    expect(await problemsOf('chain', 'renewed')).toEqual(['is not issued by ca.crt']);
  });

  it('compares all host names', async () => {
    expect(await problemsOf('own', 'ca', ['a-survey-pods', 'a-survey'])).toEqual([]);
    expect(await problemsOf('own', 'ca', ['a-survey-pods', 'b-survey'])).toEqual(['is not valid for b-survey']);
  });
});

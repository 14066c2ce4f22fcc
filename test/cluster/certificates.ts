import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostOfPods, processNames, RELEASE } from '@survey/tools/cluster/names';
import { apply, run } from './commands.ts';

/** The Secret with the certificate of all processes. */
export const CERTIFICATES = 'test-certificates';

/** Creates a certificate authority and a certificate for all Services, and stores them in the cluster. */
export async function createCertificates(folder: string): Promise<void> {
  const path = (name: string) => join(folder, name);
  const openssl = (name: string, ...args: readonly string[]) =>
    run({
      command: 'openssl',
      args: [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
        ...['-subj', `/CN=${name}`, '-keyout', path(`${name}.key`), '-out', path(`${name}.crt`), ...args],
      ],
    });
  const hosts = processNames.flatMap((name) => [`${RELEASE}-${name}`, hostOfPods(name)]);
  const names = hosts.map((host) => `DNS:${host}`).join();
  await openssl('ca');
  const ofCa = ['-CA', path('ca.crt'), '-CAkey', path('ca.key')];
  await openssl('tls', ...ofCa, '-addext', `subjectAltName=${names}`, '-addext', 'basicConstraints=critical,CA:false');
  const entries = ['tls.crt', 'tls.key', 'ca.crt'].map(async (name) => [name, await readFile(path(name), 'utf8')]);
  await apply([
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: CERTIFICATES },
      stringData: Object.fromEntries(await Promise.all(entries)),
    },
  ]);
}

import { readFile } from 'node:fs/promises';
import { ensureKeys } from '@survey/local/stack/keys';
import { processNames, TRIAL_LABEL } from './names.ts';

const TRIAL_URI = 'mongodb://mongodb-0.mongodb:27017/?replicaSet=rs0';

interface Secret {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly stringData: Readonly<Record<string, string>>;
}

/**
 * The namespace, and the Secrets that the chart reads by default, for a trial. Missing keys are created in the folder;
 * existing ones stay the same.
 */
export async function toTrialSecrets(folder: string, namespace: string): Promise<object> {
  const files = await ensureKeys(folder);
  const read = (path: string) => readFile(path, 'utf8');
  const secret = (name: string, stringData: Secret['stringData']): Secret => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    stringData,
  });
  const internalKeys = [...processNames, 'operator'].map(async (name) =>
    secret(`survey-internal-${name}`, { 'key.json': await read(files.internalKeyOf(name)) }),
  );
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, labels: { [TRIAL_LABEL.name]: TRIAL_LABEL.value } },
      },
      ...(await Promise.all(internalKeys)),
      secret('survey-internal-jwks', { 'jwks.json': await read(files.internalJwks) }),
      secret('survey-encryption-keyring', { 'keyring.json': await read(files.encryptionKeyring) }),
      secret('survey-issuers', { 'jwks.json': await read(files.issuerJwks) }),
      secret('survey-mongodb', { uri: TRIAL_URI }),
      secret('survey-metrics-token', { token: JSON.parse(await read(files.metricsToken)) }),
    ],
  };
}

import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CALLERS } from '@survey/local/stack/keys';
import { type CallerKey, parseCallerKeys } from '@survey/runtime/auth/key-set';
import { isObject } from '@survey/runtime/json/is-object';
import { exportJWK } from 'jose';
import { describeError, type Finding, ok, problem } from './finding.ts';

/** A caller with its private key. */
export interface Caller {
  readonly name: string;
  readonly keyFile: string;
}

const REMEDY = 'add its public key with caller and may_call to survey-internal-jwks (docs/keys-and-certificates.md)';

/**
 * Checks that the services accept the keys of the callers. Each caller is checked with all services that it calls.
 *
 * @param jwksFiles files with the public keys, by name of the service that reads the file
 */
export async function checkInternalKeys(
  callers: readonly Caller[],
  jwksFiles: Readonly<Record<string, string>>,
): Promise<readonly Finding[]> {
  const callerChecks = callers.map((caller) => checkCaller(caller, jwksFiles));
  return (await Promise.all([checkFiles(jwksFiles), ...callerChecks])).flat();
}

async function checkCaller({ name, keyFile }: Caller, jwksFiles: Readonly<Record<string, string>>): Promise<Finding[]> {
  const subject = `internal key of ${name}`;
  let key: Readonly<Record<string, unknown>>;
  try {
    key = toObject(JSON.parse(await readFile(keyFile, 'utf8')));
  } catch (error) {
    return [problem(subject, `cannot be read: ${toReason(error)}`, `create the Secret survey-internal-${name}`)];
  }
  const findings: Finding[] = [];
  for (const [file, readers] of groupByFile(jwksFiles)) {
    const services = (CALLERS[name] ?? []).filter((service) => readers.includes(service));
    if (services.length === 0) continue;
    const keys = await loadPublicKeys(file);
    // Skip this file: `checkFiles` reports it once for all callers.
    if (keys instanceof Error) continue;
    const found = keys.get(String(key['kid']));
    if (found === undefined) {
      findings.push(problem(subject, `is not known to ${services.join(', ')}`, REMEDY));
      continue;
    }
    if (!(await isSamePublicKey(found, key)) || found.caller !== name)
      findings.push(problem(subject, `is known to ${services.join(', ')} with another public key or caller`, REMEDY));
    const forbidden = services.filter((service) => !found.mayCall.has(service));
    if (forbidden.length > 0)
      findings.push(problem(subject, `may not call ${forbidden.join(', ')}, as may_call of its key says`, REMEDY));
  }
  return findings.length > 0 ? findings : [ok(subject, 'is known to the services that it calls')];
}

/** Checks that the services can use the files: one unusable key makes a whole file unusable. */
async function checkFiles(jwksFiles: Readonly<Record<string, string>>): Promise<Finding[]> {
  const checks = [...groupByFile(jwksFiles)].map(async ([file, readers]) => {
    const keys = await loadPublicKeys(file);
    return keys instanceof Error ? [problem(`public keys of ${readers.join(', ')}`, keys.message, REMEDY)] : [];
  });
  return (await Promise.all(checks)).flat();
}

/** The names of the services that read each file. */
function groupByFile(jwksFiles: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  const files = Map.groupBy(Object.entries(jwksFiles), ([, path]) => path);
  return new Map([...files].map(([file, services]) => [file, services.map(([service]) => service)]));
}

/** Loads the keys as the services do. */
async function loadPublicKeys(file: string): Promise<ReadonlyMap<string, CallerKey> | Error> {
  try {
    return await parseCallerKeys(file, await readFile(file, 'utf8'));
  } catch (error) {
    return new Error(`cannot be used: ${toReason(error)}`);
  }
}

async function isSamePublicKey({ key }: CallerKey, privateKey: Readonly<Record<string, unknown>>): Promise<boolean> {
  try {
    const publicKey = createPublicKey({ key: privateKey as JsonWebKey, format: 'jwk' }).export({ format: 'jwk' });
    return (await exportJWK(key)).x === publicKey.x;
  } catch {
    return false;
  }
}

function toObject(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new Error('it is no JSON object');
  return value;
}

/** Replaces messages of the JSON parser: they quote the text, which contains keys. */
function toReason(error: unknown): string {
  return error instanceof SyntaxError ? 'it is no JSON' : describeError(error);
}

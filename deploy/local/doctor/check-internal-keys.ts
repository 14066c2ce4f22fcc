import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isObject } from '@survey/runtime/json/is-object';
import { describeError, type Finding, ok, problem } from './finding.ts';

/** A caller with its private key. */
export interface Caller {
  readonly name: string;
  readonly keyFile: string;
}

const REMEDY = 'add its public key with caller and may_call to survey-internal-jwks (docs/keys-and-certificates.md)';

/**
 * Checks that the services accept the keys of the callers.
 *
 * @param jwksFiles files with the public keys, by name of the service that reads it
 */
export async function checkInternalKeys(
  callers: readonly Caller[],
  jwksFiles: Readonly<Record<string, string>>,
): Promise<readonly Finding[]> {
  return (await Promise.all(callers.map((caller) => checkCaller(caller, jwksFiles)))).flat();
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
  for (const [file, services] of Map.groupBy(Object.entries(jwksFiles), ([, path]) => path)) {
    const readers = services.map(([service]) => service).join(', ');
    const found = await findPublicKey(file, key['kid']);
    if (found instanceof Error) findings.push(problem(`public keys of ${readers}`, found.message, REMEDY));
    else if (found === undefined) findings.push(problem(subject, `is not known to ${readers}`, REMEDY));
    else if (found['x'] !== publicPart(key) || found['caller'] !== name)
      findings.push(problem(subject, `is known to ${readers} with another public key or caller`, REMEDY));
  }
  return findings.length > 0 ? findings : [ok(subject, 'is known to all services')];
}

async function findPublicKey(file: string, keyId: unknown): Promise<Record<string, unknown> | undefined | Error> {
  try {
    const { keys } = toObject(JSON.parse(await readFile(file, 'utf8')));
    if (!Array.isArray(keys)) return new Error('are not a JWKS');
    return keys.find((key: unknown) => isObject(key) && key['kid'] === keyId) as Record<string, unknown> | undefined;
  } catch (error) {
    return new Error(`cannot be read: ${toReason(error)}`);
  }
}

function publicPart(key: Readonly<Record<string, unknown>>): string | undefined {
  try {
    return createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).export({ format: 'jwk' }).x;
  } catch {
    return undefined;
  }
}

function toObject(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new Error('it is no JSON object');
  return value;
}

/** Messages of the JSON parser quote the text, which contains keys. */
function toReason(error: unknown): string {
  return error instanceof SyntaxError ? 'it is no JSON' : describeError(error);
}

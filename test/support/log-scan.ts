import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE } from './private-text.ts';

/** Something that a log must not hold. */
export interface Forbidden {
  readonly what: string;
  readonly pattern: RegExp;
}

/** Where something of that kind is. */
export interface Leak {
  readonly what: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** What is told by its form. Text in JSON in JSON has its quotes escaped. */
const forms: readonly Forbidden[] = [
  { what: 'private text (an answer, a definition, a body, an address)', pattern: new RegExp(PRIVATE) },
  { what: 'a token', pattern: /eyJ[\w-]{8,}\.[\w-]+/ },
  { what: 'an Authorization header', pattern: /\b(Bearer|Basic) [\w.~+/-]+/ },
  { what: 'a secret of a webhook', pattern: /whsec_[\w+/]{8,}/ },
  // The first characters of the random part may be shown.
  { what: 'an API key', pattern: /svk_[\w-]{16,}/ },
  { what: 'a private key', pattern: /"d\\*":\s*\\*"[\w-]{20,}|-----BEGIN [A-Z ]*PRIVATE KEY/ },
  { what: 'bytes', pattern: /"type\\*":\s*\\*"Buffer/ },
];

/** The longest part of a line that a report shows. */
const SHOWN = 500;

/** What must be in no log of the stack that uses these keys, and their own secrets. */
export async function loadForbidden(keysFolder: string): Promise<readonly Forbidden[]> {
  const secrets: Forbidden[] = [];
  for (const name of await readdir(keysFolder)) {
    for (const secret of secretsOf(JSON.parse(await readFile(join(keysFolder, name), 'utf8')))) {
      secrets.push({ what: `the secret of ${name}`, pattern: new RegExp(RegExp.escape(secret)) });
    }
  }
  if (secrets.length === 0) throw new Error(`${keysFolder} holds no secrets`);
  return [...forms, ...secrets];
}

/** Looks through all files of a folder. Throws when there are none, or one is empty: then there is nothing to tell. */
export async function findLeaks(logsFolder: string, forbidden: readonly Forbidden[]): Promise<readonly Leak[]> {
  const files = await readdir(logsFolder);
  if (files.length === 0) throw new Error(`${logsFolder} holds no logs`);
  const leaks: Leak[] = [];
  for (const file of files) {
    const content = await readFile(join(logsFolder, file), 'utf8');
    if (content === '') throw new Error(`${file} is empty`);
    for (const [index, text] of content.split('\n').entries()) {
      for (const { what, pattern } of forbidden) {
        if (pattern.test(text)) leaks.push({ what, file, line: index + 1, text: text.slice(0, SHOWN) });
      }
    }
  }
  return leaks;
}

/** The private part of a JWK, or the keys of a keyring; of a set of public keys nothing. */
function secretsOf(content: { readonly d?: string; readonly keys?: unknown }): readonly string[] {
  const { d, keys } = content;
  if (d !== undefined) return [d];
  if (keys === undefined || Array.isArray(keys)) return [];
  return Object.values(keys as Readonly<Record<string, string>>); // a keyring: base64 by name
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE } from './lunch-survey.ts';

/** A pattern that must not occur in logs. */
export interface Forbidden {
  readonly name: string;
  readonly pattern: RegExp;
}

/** A match in a log. */
export interface Leak {
  readonly name: string;
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Patterns by form. In nested JSON, quotes are escaped. */
const forms: readonly Forbidden[] = [
  { name: 'private text (an answer, a definition, a body, an address)', pattern: new RegExp(PRIVATE) },
  { name: 'a token', pattern: /eyJ[\w-]{8,}\.[\w-]+/ },
  { name: 'an Authorization header', pattern: /\b(Bearer|Basic) [\w.~+/-]+/ },
  { name: 'a secret of a webhook', pattern: /whsec_[\w+/]{8,}/ },
  // Logs may contain the first characters of the random part.
  { name: 'an API key', pattern: /svk_[\w-]{16,}/ },
  { name: 'a private key', pattern: /"d\\*":\s*\\*"[\w-]{20,}|-----BEGIN [A-Z ]*PRIVATE KEY/ },
  { name: 'bytes', pattern: /"type\\*":\s*\\*"Buffer/ },
];

/** Maximum length of a reported line. */
const SHOWN = 500;

/** The patterns for a stack, including the secrets in its keys folder. */
export async function loadForbidden(keysFolder: string): Promise<readonly Forbidden[]> {
  const secrets: Forbidden[] = [];
  for (const name of await readdir(keysFolder)) {
    for (const secret of secretsOf(JSON.parse(await readFile(join(keysFolder, name), 'utf8')))) {
      secrets.push({ name: `the secret of ${name}`, pattern: new RegExp(RegExp.escape(secret)) });
    }
  }
  if (secrets.length === 0) throw new Error(`${keysFolder} has no secrets`);
  return [...forms, ...secrets];
}

/** Scans all files of a folder. Throws if there are none, or one is empty. */
export async function findLeaks(logsFolder: string, forbidden: readonly Forbidden[]): Promise<readonly Leak[]> {
  const files = await readdir(logsFolder);
  if (files.length === 0) throw new Error(`${logsFolder} has no logs`);
  const leaks: Leak[] = [];
  for (const file of files) {
    const content = await readFile(join(logsFolder, file), 'utf8');
    if (content === '') throw new Error(`${file} is empty`);
    for (const [index, text] of content.split('\n').entries()) {
      for (const { name, pattern } of forbidden) {
        if (pattern.test(text)) leaks.push({ name, file, line: index + 1, text: text.slice(0, SHOWN) });
      }
    }
  }
  return leaks;
}

/** The private part of a JWK, or the keys of a keyring; nothing for public keys. */
function secretsOf(content: { readonly d?: string; readonly keys?: unknown }): readonly string[] {
  const { d, keys } = content;
  if (d !== undefined) return [d];
  if (keys === undefined || Array.isArray(keys)) return [];
  return Object.values(keys as Readonly<Record<string, string>>); // a keyring: base64 by name
}

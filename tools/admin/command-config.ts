import { readFile } from 'node:fs/promises';
import type { Variables } from '@survey/local/stack/plan-processes';

/** Reads a property of a Kafka client into the variables of our processes. Throws if its value is not supported. */
type Reader = (value: string) => Variables;

const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'];
const PROTOCOLS: Readonly<Record<string, { readonly tls: boolean }>> = {
  PLAINTEXT: { tls: false },
  SSL: { tls: true },
  SASL_PLAINTEXT: { tls: false },
  SASL_SSL: { tls: true },
};

const requirePem: Reader = (value) => {
  if (value !== 'PEM') throw new Error('only PEM is supported');
  return {};
};

const READERS: Readonly<Record<string, Reader>> = {
  'bootstrap.servers': (value) => ({ KAFKA_BROKERS: value }),
  'security.protocol': (value) => {
    const protocol = PROTOCOLS[value];
    if (protocol === undefined) throw new Error(`only ${Object.keys(PROTOCOLS).join(', ')} are supported`);
    return { KAFKA_TLS: String(protocol.tls) };
  },
  'sasl.mechanism': (value) => {
    if (!MECHANISMS.includes(value)) throw new Error(`only ${MECHANISMS.join(', ')} are supported`);
    return { KAFKA_SASL_MECHANISM: value.toLowerCase() };
  },
  'sasl.jaas.config': (value) => ({
    KAFKA_SASL_USERNAME: readJaas(value, 'username'),
    KAFKA_SASL_PASSWORD: readJaas(value, 'password'),
  }),
  'ssl.truststore.type': requirePem,
  'ssl.truststore.location': (value) => ({ KAFKA_TLS_CA_FILE: value }),
  'ssl.keystore.type': requirePem,
  // The file contains the private key and the certificates.
  'ssl.keystore.location': (value) => ({ KAFKA_TLS_CERT_FILE: value, KAFKA_TLS_KEY_FILE: value }),
};

/**
 * Reads a properties file, as Kafka's own scripts take it with `--command-config`, into the variables of our processes.
 * Throws one error with all properties that cannot be used; it never quotes a value.
 */
export async function loadCommandConfig(file: string): Promise<Variables> {
  const variables: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value] of parseProperties(await readText(file))) {
    const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    try {
      if (reader === undefined) throw new Error('not supported');
      Object.assign(variables, reader(value));
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (problems.length > 0) throw new Error(`${file} has properties that cannot be used:\n  ${problems.join('\n  ')}`);
  return variables;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`cannot read ${file}`, { cause });
  }
}

/** Names and values of a properties file. */
function parseProperties(text: string): readonly (readonly [name: string, value: string])[] {
  const lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const last = lines.at(-1);
    if (last !== undefined && isContinued(last)) lines[lines.length - 1] = last.slice(0, -1) + line.trimStart();
    else lines.push(line);
  }
  return lines.flatMap((line) => {
    const [, name, value = ''] = /^\s*([^#!\s=:][^\s=:]*)\s*[=:]?\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value.replaceAll(/\\(.)/g, '$1')] as const];
  });
}

/** Whether a line ends with a backslash that is not escaped. Comments are never continued. */
function isContinued(line: string): boolean {
  return !/^\s*[#!]/.test(line) && /(?<!\\)(?:\\\\)*\\$/.test(line);
}

/** The value of a field. A backslash escapes a quote or another backslash. */
function readJaas(value: string, field: string): string {
  const [, quoted] = new RegExp(String.raw`\b${field}\s*=\s*"((?:[^"\\]|\\.)*)"`).exec(value) ?? [];
  if (quoted === undefined) throw new Error(`it has no ${field} in double quotes`);
  return quoted.replaceAll(/\\(.)/g, '$1');
}

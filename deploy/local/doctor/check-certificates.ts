import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, type Finding, ok, problem, warning } from './finding.ts';

/** Certificate files of a process. */
export interface CertificateFiles {
  readonly subject: string;
  /** Certificate, with its chain. */
  readonly certificate: string;
  readonly ca: string | undefined;
  /** Host name that the certificate must be valid for. */
  readonly host?: string | undefined;
}

const WARN_MS = 14 * 24 * 3_600_000;
const RENEW = 'renew it and update its Secret: processes load it without a restart (docs/keys-and-certificates.md)';

/** The files of mutual TLS between the processes. */
export const peerCertificate = (name: string, folder: string, host: string | undefined): CertificateFiles => ({
  subject: `certificate of ${name}`,
  certificate: join(folder, 'tls.crt'),
  ca: join(folder, 'ca.crt'),
  host,
});

export async function checkCertificates(
  files: readonly CertificateFiles[],
  clock: () => Date,
): Promise<readonly Finding[]> {
  return (await Promise.all(files.map((one) => checkOne(one, clock())))).flat();
}

async function checkOne({ subject, certificate, ca, host }: CertificateFiles, now: Date): Promise<Finding[]> {
  try {
    const own = await load(certificate);
    const authority = ca === undefined ? undefined : await load(ca);
    const findings = [
      ...checkTimes(subject, own, now),
      ...(authority === undefined ? [] : checkTimes(`CA of the ${subject}`, authority, now)),
      ...(authority === undefined || own.issuer === authority.subject || hasChain(await readFile(certificate, 'utf8'))
        ? []
        : [problem(subject, 'is not issued by ca.crt', 'put tls.crt and ca.crt of the same CA into the Secret')]),
      ...(host === undefined || own.checkHost(host) !== undefined
        ? []
        : [problem(subject, `is not valid for ${host}`, `issue it for ${host} and the names in docs/operations.md`)]),
    ];
    return findings.length > 0 ? findings : [ok(subject, `is valid until ${own.validToDate.toISOString()}`)];
  } catch (error) {
    return [problem(subject, `cannot be used: ${describeError(error)}`, 'correct the Secret with the certificate')];
  }
}

async function load(file: string): Promise<X509Certificate> {
  return new X509Certificate(await readFile(file));
}

/** Whether a file has intermediate certificates. */
function hasChain(pem: string): boolean {
  return pem.split('-----BEGIN CERTIFICATE-----').length > 2;
}

function checkTimes(subject: string, { validFromDate, validToDate }: X509Certificate, now: Date): Finding[] {
  const end = validToDate.toISOString();
  if (validToDate <= now) return [problem(subject, `expired at ${end}`, RENEW)];
  if (validFromDate > now)
    return [problem(subject, `is not valid before ${validFromDate.toISOString()}`, 'check the clock of this node')];
  return validToDate.getTime() - now.getTime() < WARN_MS ? [warning(subject, `expires at ${end}`, RENEW)] : [];
}

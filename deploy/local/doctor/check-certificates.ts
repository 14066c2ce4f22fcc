import type { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCertificates } from '@survey/runtime/crypto/parse-certificates';
import { describeError, type Finding, ok, problem, warning } from './finding.ts';

/** Certificate files of a process. */
export interface CertificateFiles {
  readonly subject: string;
  /** Certificate, with its chain. */
  readonly certificate: string;
  /** File with the CAs, one of which must have issued the certificate. */
  readonly ca: string | undefined;
  /** Host names that the certificate must be valid for. */
  readonly hosts?: readonly string[];
}

const WARN_MS = 14 * 24 * 3_600_000;
const RENEW = 'renew it and update its Secret: processes load it without a restart (docs/keys-and-certificates.md)';

/** The files of mutual TLS between the processes. */
export const peerCertificate = (name: string, folder: string, hosts: readonly string[]): CertificateFiles => ({
  subject: `certificate of ${name}`,
  certificate: join(folder, 'tls.crt'),
  ca: join(folder, 'ca.crt'),
  hosts,
});

export async function checkCertificates(
  files: readonly CertificateFiles[],
  clock: () => Date,
): Promise<readonly Finding[]> {
  return (await Promise.all(files.map((one) => checkOne(one, clock())))).flat();
}

async function checkOne({ subject, certificate, ca, hosts = [] }: CertificateFiles, now: Date): Promise<Finding[]> {
  try {
    const [own, ...intermediates] = parseCertificates(await readFile(certificate, 'utf8'));
    const chain = ca === undefined ? undefined : findChain(own, intermediates, await loadAll(ca));
    const findings = [
      ...checkTimes(subject, own, now),
      ...(ca === undefined ? intermediates : (chain ?? [])).flatMap((one) =>
        checkTimes(`CA of the ${subject}`, one, now),
      ),
      ...(ca === undefined || chain !== undefined
        ? []
        : [problem(subject, 'is not issued by ca.crt', 'put tls.crt and ca.crt of the same CA into the Secret')]),
      ...hosts
        .filter((host) => own.checkHost(host) === undefined)
        .map((host) =>
          problem(subject, `is not valid for ${host}`, `issue it for ${host} and the names in docs/operations.md`),
        ),
    ];
    return findings.length > 0 ? findings : [ok(subject, `is valid until ${own.validToDate.toISOString()}`)];
  } catch (error) {
    return [problem(subject, `cannot be used: ${describeError(error)}`, 'correct the Secret with the certificate')];
  }
}

async function loadAll(file: string): Promise<readonly X509Certificate[]> {
  return parseCertificates(await readFile(file, 'utf8'));
}

/** The issuers from a certificate to one of the CAs; undefined if there is none. Signatures count, not only names. */
function findChain(
  own: X509Certificate,
  intermediates: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): readonly X509Certificate[] | undefined {
  const isIssuer = (one: X509Certificate) => own.checkIssued(one) && own.verify(one.publicKey);
  const authority = authorities.find(isIssuer);
  if (authority !== undefined) return [authority];
  const next = intermediates.find(isIssuer);
  if (next === undefined) return undefined;
  const others = intermediates.filter((one) => one !== next);
  const rest = findChain(next, others, authorities);
  return rest === undefined ? undefined : [next, ...rest];
}

function checkTimes(subject: string, { validFromDate, validToDate }: X509Certificate, now: Date): Finding[] {
  const end = validToDate.toISOString();
  if (validToDate <= now) return [problem(subject, `expired at ${end}`, RENEW)];
  if (validFromDate > now)
    return [problem(subject, `is not valid before ${validFromDate.toISOString()}`, 'check the clock of this node')];
  return validToDate.getTime() - now.getTime() < WARN_MS ? [warning(subject, `expires at ${end}`, RENEW)] : [];
}

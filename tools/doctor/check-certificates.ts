import { createPrivateKey, type X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { parseCertificates } from '@survey/runtime/crypto/parse-certificates';
import { describeError, type Finding, ok, problem, warning } from './finding.ts';

/** Certificate files of a process. */
export interface CertificateFiles {
  readonly subject: string;
  /** Certificate, with its chain. */
  readonly certificate: string;
  /** Private key of the certificate. */
  readonly key: string;
  /**
   * File with the CAs, one of which must have issued the certificate. Undefined if other systems choose the CAs, as
   * Kafka brokers do.
   */
  readonly ca?: string;
  /** Host names and IP addresses that the certificate must be valid for. */
  readonly hosts?: readonly string[];
}

/** A file with CAs that a process trusts. */
export interface AuthorityFile {
  readonly subject: string;
  readonly authorities: string;
}

/** A certificate is reported in its last 14 days, or in the last quarter of its lifetime if that is shorter. */
const WARN_MS = 14 * 24 * 3_600_000;
const WARN_SHARE = 1 / 4;
const RENEW = 'renew it and update its Secret: processes load it without a restart (docs/keys-and-certificates.md)';

/** The files of mutual TLS between the processes. */
export const peerCertificate = (name: string, folder: string, hosts: readonly string[]): CertificateFiles => ({
  subject: `certificate of ${name}`,
  certificate: join(folder, 'tls.crt'),
  key: join(folder, 'tls.key'),
  ca: join(folder, 'ca.crt'),
  hosts,
});

export async function checkCertificates(
  files: readonly (CertificateFiles | AuthorityFile)[],
  clock: () => Date,
): Promise<readonly Finding[]> {
  const now = clock();
  const checks = files.map((file) => ('authorities' in file ? checkAuthorities(file, now) : checkLeaf(file, now)));
  return (await Promise.all(checks)).flat();
}

/** Expired CAs are only a warning if another CA is valid: a rotation can leave them in the file. */
async function checkAuthorities({ subject, authorities }: AuthorityFile, now: Date): Promise<Finding[]> {
  try {
    const all = await loadAll(authorities);
    const valid = all.filter(({ validToDate }) => validToDate > now);
    if (valid.length < all.length && valid.length > 0)
      return [warning(subject, `${all.length - valid.length} of ${all.length} have expired`, 'remove these CAs')];
    const findings = all.flatMap((authority) => checkTimes(subject, authority, now));
    const [first] = findings;
    if (first === undefined) return [ok(subject, valid.length === 1 ? 'is valid' : `all ${valid.length} are valid`)];
    return [first];
  } catch (error) {
    return [problem(subject, `cannot be used: ${describeError(error)}`, 'correct the Secret with the CA')];
  }
}

async function checkLeaf(files: CertificateFiles, now: Date): Promise<Finding[]> {
  const { subject, certificate, key, ca, hosts = [] } = files;
  try {
    const [leaf, ...intermediates] = parseCertificates(await readFile(certificate, 'utf8'));
    const chain = ca === undefined ? undefined : findChain(leaf, intermediates, await loadAll(ca));
    const isOwnKey = leaf.checkPrivateKey(createPrivateKey(await readFile(key)));
    const findings = [
      ...checkTimes(subject, leaf, now),
      ...(isOwnKey
        ? []
        : [problem(subject, 'belongs to another private key', 'put tls.crt and tls.key of the same renewal together')]),
      ...(ca === undefined ? intermediates : (chain ?? [])).flatMap((issuer) =>
        checkTimes(`CA of the ${subject}`, issuer, now),
      ),
      ...(ca === undefined || chain !== undefined
        ? []
        : [problem(subject, 'is not issued by ca.crt', 'put tls.crt and ca.crt of the same CA into the Secret')]),
      ...hosts
        .filter((host) => (isIP(host) ? leaf.checkIP(host) : leaf.checkHost(host)) === undefined)
        .map((host) =>
          problem(subject, `is not valid for ${host}`, `issue it for ${host} and the names in docs/operations.md`),
        ),
    ];
    return findings.length > 0 ? findings : [ok(subject, `is valid until ${leaf.validToDate.toISOString()}`)];
  } catch (error) {
    return [problem(subject, `cannot be used: ${describeError(error)}`, 'correct the Secret with the certificate')];
  }
}

async function loadAll(file: string): Promise<readonly X509Certificate[]> {
  return parseCertificates(await readFile(file, 'utf8'));
}

/** The issuers from a certificate up to one of the CAs; undefined if no CA is reached. Verifies the signatures. */
function findChain(
  certificate: X509Certificate,
  intermediates: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): readonly X509Certificate[] | undefined {
  const isIssuer = (issuer: X509Certificate) => certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  const authority = authorities.find(isIssuer);
  if (authority !== undefined) return [authority];
  const next = intermediates.find(isIssuer);
  if (next === undefined) return undefined;
  const others = intermediates.filter((other) => other !== next);
  const rest = findChain(next, others, authorities);
  return rest === undefined ? undefined : [next, ...rest];
}

function checkTimes(subject: string, { validFromDate, validToDate }: X509Certificate, now: Date): Finding[] {
  const end = validToDate.toISOString();
  if (validToDate <= now) return [problem(subject, `expired at ${end}`, RENEW)];
  if (validFromDate > now)
    return [problem(subject, `is not valid before ${validFromDate.toISOString()}`, 'check the clock of this node')];
  const lifetimeMs = validToDate.getTime() - validFromDate.getTime();
  const leftMs = validToDate.getTime() - now.getTime();
  return leftMs < Math.min(WARN_MS, lifetimeMs * WARN_SHARE) ? [warning(subject, `expires at ${end}`, RENEW)] : [];
}

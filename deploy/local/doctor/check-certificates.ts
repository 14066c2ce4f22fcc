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

/** A certificate is reported this long before it expires; if its life is short, in the last quarter of its life. */
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
  const checks = files.map((one) => ('authorities' in one ? checkAuthorities(one, now) : checkOne(one, now)));
  return (await Promise.all(checks)).flat();
}

/** The file is usable as long as one CA is valid: a rotation can leave an expired one. */
async function checkAuthorities({ subject, authorities }: AuthorityFile, now: Date): Promise<Finding[]> {
  try {
    const all = await loadAll(authorities);
    const valid = all.filter(({ validToDate }) => validToDate > now);
    if (valid.length < all.length && valid.length > 0)
      return [warning(subject, `${all.length - valid.length} of ${all.length} have expired`, 'remove these CAs')];
    const findings = all.flatMap((one) => checkTimes(subject, one, now));
    const [first] = findings;
    if (first === undefined) return [ok(subject, valid.length === 1 ? 'is valid' : `all ${valid.length} are valid`)];
    return [first];
  } catch (error) {
    return [problem(subject, `cannot be used: ${describeError(error)}`, 'correct the Secret with the CA')];
  }
}

async function checkOne(files: CertificateFiles, now: Date): Promise<Finding[]> {
  const { subject, certificate, key, ca, hosts = [] } = files;
  try {
    const [own, ...intermediates] = parseCertificates(await readFile(certificate, 'utf8'));
    const chain = ca === undefined ? undefined : findChain(own, intermediates, await loadAll(ca));
    const isOwnKey = own.checkPrivateKey(createPrivateKey(await readFile(key)));
    const findings = [
      ...checkTimes(subject, own, now),
      ...(isOwnKey
        ? []
        : [problem(subject, 'belongs to another private key', 'put tls.crt and tls.key of the same renewal together')]),
      ...(ca === undefined ? intermediates : (chain ?? [])).flatMap((one) =>
        checkTimes(`CA of the ${subject}`, one, now),
      ),
      ...(ca === undefined || chain !== undefined
        ? []
        : [problem(subject, 'is not issued by ca.crt', 'put tls.crt and ca.crt of the same CA into the Secret')]),
      ...hosts
        .filter((host) => (isIP(host) ? own.checkIP(host) : own.checkHost(host)) === undefined)
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
  const lifetimeMs = validToDate.getTime() - validFromDate.getTime();
  const leftMs = validToDate.getTime() - now.getTime();
  return leftMs < Math.min(WARN_MS, lifetimeMs * WARN_SHARE) ? [warning(subject, `expires at ${end}`, RENEW)] : [];
}

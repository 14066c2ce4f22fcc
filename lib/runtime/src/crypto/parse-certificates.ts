import { X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM file, at least one. Throws if there is none, or one is malformed. */
export function parseCertificates(pem: string): readonly [X509Certificate, ...X509Certificate[]] {
  const [first, ...others] = (pem.match(BLOCK) ?? []).map((block) => new X509Certificate(block));
  if (first === undefined) throw new Error('the file contains no certificate');
  return [first, ...others];
}

/** Expiry times of the certificates in a PEM file. The first one is called `<key>`, the second `<key> 2`, and so on. */
export function expiriesOf(key: string, pem: string): Readonly<Record<string, Date>> {
  const expiries = parseCertificates(pem).map(
    ({ validToDate }, index) => [index === 0 ? key : `${key} ${index + 1}`, validToDate] as const,
  );
  return Object.fromEntries(expiries);
}

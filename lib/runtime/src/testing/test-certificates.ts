import { join } from 'node:path';

/**
 * Certificates for tests, valid until 2126. `first` and `second` are for `localhost`, from the same CA. `elsewhere` is
 * of that CA too, but for another name. `stranger` is for `localhost`, from another CA.
 */
export type CertificateName = 'first' | 'second' | 'stranger' | 'elsewhere';

/** The folder of a certificate, with the file names that `TLS_DIR` requires. */
export function certificatesOf(name: CertificateName): string {
  return join(import.meta.dirname, 'tls', name);
}

import { isAscii, isUtf8 } from 'node:buffer';

/** Result of scanning a file: valid UTF-8, or a sample from the first invalid byte on. */
export type Utf8Scan =
  | { readonly valid: true }
  | {
      readonly valid: false;
      /** Whether other multibyte characters are valid. Then the file is damaged UTF-8, not another encoding. */
      readonly hasMultibyte: boolean;
      /** Bytes from the beginning of the slice with the invalid byte. */
      readonly sample: Uint8Array;
      /** Whether the only problem is a character that the end of the file cuts off. */
      readonly isCutOff: boolean;
    };

const MAX_SAMPLE = 256 * 1024;

export async function scanUtf8(slices: AsyncIterable<Uint8Array>): Promise<Utf8Scan> {
  let rest: Uint8Array = new Uint8Array();
  let hasMultibyte = false;
  const sample: Uint8Array[] = [];
  let sampled = 0;
  for await (const slice of slices) {
    const bytes = rest.length === 0 ? slice : Buffer.concat([rest, slice]);
    const end = sampled > 0 ? 0 : bytes.length - incompleteLength(bytes);
    if (sampled === 0 && isUtf8(bytes.subarray(0, end))) {
      hasMultibyte ||= !isAscii(bytes.subarray(0, end));
      // Slices can be parts of a buffer that is reused.
      rest = Uint8Array.from(bytes.subarray(end));
      continue;
    }
    rest = new Uint8Array();
    sample.push(Uint8Array.from(bytes));
    sampled += bytes.length;
    if (sampled >= MAX_SAMPLE) break;
  }
  if (sampled > 0) {
    const invalid = Buffer.concat(sample);
    return { valid: false, hasMultibyte: hasMultibyte || isMostlyUtf8(invalid), sample: invalid, isCutOff: false };
  }
  return rest.length === 0 ? { valid: true } : { valid: false, hasMultibyte, sample: rest, isCutOff: true };
}

function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const beyondAscii = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return beyondAscii > 0 && beyondAscii >= (text.match(/\ufffd/g)?.length ?? 0);
}

/** Number of bytes at the end that begin a character of several bytes without completing it. */
function incompleteLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** Control characters, except tab, line feed, form feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the check finds control characters
const CONTROL = /[\x00-\x08\x0b\x0e-\x1f\x7f]/;

/** Checks chunk by chunk whether bytes are UTF-8 text. */
interface TextCheck {
  push(bytes: Uint8Array): void;
  /** Whether the bytes so far can be text. Final after `end`. */
  isText(): boolean;
  end(): void;
}

export function createTextCheck(): TextCheck {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isText = true;

  function decode(bytes: Uint8Array, stream: boolean): void {
    if (!isText) return;
    try {
      isText = !CONTROL.test(decoder.decode(bytes, { stream }));
    } catch {
      isText = false;
    }
  }

  return {
    push: (bytes) => decode(bytes, true),
    isText: () => isText,
    end: () => decode(new Uint8Array(), false),
  };
}

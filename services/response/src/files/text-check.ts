/** What no text has: controls, but for tab, line feed, form feed, carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\x00-\x08\x0b\x0e-\x1f\x7f]/;

/** Tells of bytes that come in pieces whether all of them together are text in UTF-8. */
interface TextCheck {
  push(bytes: Uint8Array): void;
  /** Whether they are so far; after `end`, whether they are. */
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
